/** Shared by the tabs of this browser and removed on sign-out. */
export const STORAGE_KEY = 'cairn-session'
/** Small pictures of the user's models. Removed on sign-out, too. */
export const PICTURES_KEY = 'cairn-model-pictures'

/** The headers that name the user of this browser, for requests that are not sent by the client. */
export function sessionHeaders(): Record<string, string> {
  const token = localStorage.getItem(STORAGE_KEY)
  return token ? { authorization: `Bearer ${token}` } : {}
}
