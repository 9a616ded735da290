import { AnimArgumentError } from "../anim/errors.js";

/** A file name or an address: one short line that ends in a suffix of model files or begins with a scheme. */
const PATH = /^(?:(?:https?|file|blob|data|node):|[^{}<>;]+\.(?:fbx|gltf|glb|bvh|json|obj|dae)(?:[?#]\S*)?$)/i;

/**
 * Says so when a loader, which takes the content of a file, is given its name.
 * @param call - name of the loader
 * @throws AnimArgumentError
 */
export function refusePath(call: string, text: string): void {
  if (text.length > 4096 || /[\r\n]/.test(text.trim()) || !PATH.test(text.trim())) return;
  const name = text.length > 80 ? `${text.slice(0, 77)}…` : text;
  throw new AnimArgumentError(
    `${call}: data is the text ${JSON.stringify(name)}, which looks like the name of a file. Give its content: await (await fetch(url)).arrayBuffer(), or await readFile(path) in Node.`,
    { found: text },
  );
}
