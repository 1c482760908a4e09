import { loadSettings } from '../../session/console-settings.ts'
import type { Base } from './base.ts'
import { bundledBase } from './bundled.ts'

/** What maps draw below: the bundled map, streets from an archive, or a style. Streets are a chunk of their own. */
export async function loadBase(): Promise<{ styleUrl: string | null; base: Base }> {
  const { mapStyleUrl, mapArchive } = await loadSettings()
  const streets = mapArchive && (await import('./streets/streets.ts').catch(() => null))
  return { styleUrl: mapStyleUrl, base: streets && mapArchive ? streets.streetsBase(mapArchive) : bundledBase }
}
