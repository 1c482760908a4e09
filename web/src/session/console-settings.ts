/** Settings that the service sends to the console before sign-in. */
export type Settings = {
  version: string
  /** The public URL of the service. */
  publicUrl: string
  /** The issuer and client ID for sign-in; null if none is configured. */
  signIn: { issuer: string; clientId: string; isBox: boolean } | null
  /** No admin exists yet. The first one is created with the link printed by the service. */
  needsFirstAdmin: boolean
  /** A MapLibre style with streets on another host; null without. */
  mapStyleUrl: string | null
  /** A PMTiles archive of streets on this service; null without. */
  mapArchive: { url: string; attribution: string | null } | null
}

/** @throws if the service does not answer */
export async function loadSettings(): Promise<Settings> {
  const response = await fetch('/console/settings.json', { headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`${response.status}`)
  return (await response.json()) as Settings
}
