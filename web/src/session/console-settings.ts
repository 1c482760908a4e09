/** What the service tells its console before anybody is signed in. */
export type Settings = {
  version: string
  /** The address that the service goes by. */
  publicUrl: string
  /** Who signs people in, and as which client the console asks there; null: nobody does. */
  signIn: { issuer: string; clientId: string; isBox: boolean } | null
  /** Nobody runs this box yet: the first admin is made by the link that the service printed. */
  needsFirstAdmin: boolean
  /** A MapLibre style with streets; null: the bundled map of the world alone. */
  mapStyleUrl: string | null
}

/** @throws when the service does not answer */
export async function loadSettings(): Promise<Settings> {
  const response = await fetch('/console/settings.json', { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`${response.status}`)
  return (await response.json()) as Settings
}
