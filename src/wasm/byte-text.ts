/**
 * Bytes out of the printable text that scripts/build-wasm.mjs makes of them.
 *
 * Characters are digits 0..91: code 35 + digit, but a space for 92 (the backslash) and "!" for 60 (the "<" of a tag), so that
 * no bundler has to escape anything. With v = (byte + 4) mod 256, a byte is the digit v + 2 where v is below 90, which most
 * bytes of code are, else two digits, 0 or 1 first, that give v - 90.
 */
export function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  let at = 0;
  let count = 0;
  const digit = (): number => {
    const code = text.charCodeAt(at++);
    return (code === 32 ? 92 : code === 33 ? 60 : code) - 35;
  };
  while (at < text.length) {
    const first = digit();
    bytes[count++] = (first < 90 ? first : (first - 89) * 92 + digit() - 2) - 8;
  }
  return bytes.slice(0, count);
}
