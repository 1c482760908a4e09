/** What the page needs to know, from `settings.json` beside it. All of it is public. */
export type Settings = {
  /** The URL of Cairn. */
  baseUrl: string
  /** A client key, which may ship inside a page. */
  clientKey: string
  /** The zone whose pins are the treasures. */
  zoneId: number
  /** A MapLibre style. Without one the page draws its own, offline. */
  mapStyleUrl: string | null
}

export const settings = async (): Promise<Settings> => (await fetch('settings.json')).json()
