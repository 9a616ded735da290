import { ArgumentError } from "../../errors.js";
import type { StringMap } from "../utils/utils.js";

type Success<T> = (data: T) => void;
type Failure = (status: number, responseText: string) => void;

/**
 * Fetches files by URL. Requests for a URL that is being fetched already share one transfer. URLs in `rawDataUris` are
 * answered from the data URI given there.
 */
export class Downloader {
  /** Data URIs by URL. */
  rawDataUris: StringMap<string> = {};
  readonly #running = new Map<string, Promise<unknown>>();

  /** Content of a data URI as text; base64 is decoded. */
  dataUriToString(dataUri: string): string {
    const data = contentOf(dataUri);
    return isBase64(dataUri) ? atob(data) : data;
  }

  base64ToUint8Array(base64: string): Uint8Array {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  }

  /** Content of a base64 data URI. */
  dataUriToUint8Array(dataUri: string): Uint8Array {
    const data = contentOf(dataUri);
    if (!isBase64(dataUri)) throw new ArgumentError("The data URI is not base64. Binary files need `;base64,`.", { found: dataUri.slice(0, 40) });
    return this.base64ToUint8Array(data);
  }

  downloadText(url: string, success: Success<string>, error: Failure): void {
    this.#deliver(`text ${url}`, () => this.#text(url), success, error);
  }

  downloadJson(url: string, success: Success<object>, error: Failure): void {
    // The text is parsed per caller, so that nobody edits another's object.
    this.downloadText(url, (text) => {
      let data: object;
      try {
        data = JSON.parse(text) as object;
      } catch (cause) {
        error(0, `not JSON: ${(cause as Error).message}`);
        return;
      }
      success(data);
    }, error);
  }

  downloadBinary(url: string, success: Success<Uint8Array>, error: Failure): void {
    this.#deliver(`binary ${url}`, () => this.#bytes(url), success, error);
  }

  async #text(url: string): Promise<string> {
    const raw = this.rawDataUris[url];
    if (raw !== undefined) return this.dataUriToString(raw);
    return (await fetched(url)).text();
  }

  async #bytes(url: string): Promise<Uint8Array> {
    const raw = this.rawDataUris[url];
    if (raw !== undefined) return this.dataUriToUint8Array(raw);
    return new Uint8Array(await (await fetched(url)).arrayBuffer());
  }

  #deliver<T>(key: string, start: () => Promise<T>, success: Success<T>, error: Failure): void {
    let transfer = this.#running.get(key) as Promise<T> | undefined;
    if (transfer === undefined) {
      transfer = start();
      this.#running.set(key, transfer);
      const done = (): void => void this.#running.delete(key);
      transfer.then(done, done);
    }
    transfer.then(success, (cause: unknown) =>
      cause instanceof HttpFailure ? error(cause.status, cause.responseText) : error(0, (cause as Error).message),
    );
  }
}

/** An answer that is not a success. */
class HttpFailure extends Error {
  constructor(readonly status: number, readonly responseText: string) {
    super(`status ${status}`);
  }
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new HttpFailure(response.status, await response.text().catch(() => ""));
  return response;
}

function contentOf(dataUri: string): string {
  if (!dataUri.startsWith("data:")) throw new ArgumentError('Not a data URI: expected "data:<type>;base64,<data>".', { found: dataUri.slice(0, 40) });
  return dataUri.slice(dataUri.indexOf(",") + 1);
}

function isBase64(dataUri: string): boolean {
  return dataUri.slice(0, dataUri.indexOf(",")).endsWith(";base64");
}
