/** Sends a request that is answered in JSON. */
export async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init)
  return { status: response.status, body: (await response.json()) as unknown, headers: response.headers }
}
