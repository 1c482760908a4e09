/**
 * Fetches a file of the package.
 * @throws Error when the server does not have it.
 */
export async function fetchBytes(url: string): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} cannot be loaded (${response.status}).`)
  return new Uint8Array(await response.arrayBuffer())
}
