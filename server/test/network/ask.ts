/** Sends a request with a JSON response. */
export async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init)
  return { status: response.status, body: (await response.json()) as unknown, headers: response.headers }
}
