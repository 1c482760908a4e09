import type { Actor } from '../../platform/database/audit.ts'
import type { ArchiveFolder, ArchiveState } from './archive/archive-folder.ts'
import type { Basemap, BasemapChoice, Source } from './schema.ts'
import type { BasemapStore, SavedChoice } from './store.ts'

/** What a map of the console draws. */
export type Drawn = {
  /** A MapLibre style on another host; null without. */
  styleUrl: string | null
  /** The PMTiles archive of this service; null without. */
  archive: { url: string; attribution: string | null } | null
}

export type BasemapService = ReturnType<typeof basemapService>

type Deps = {
  store: BasemapStore
  archives: ArchiveFolder
  /** CAIRN_MAP_STYLE_URL. */
  configuredStyle: string | undefined
}

/** The path of an archive below the origin. */
const archivePath = (hash: string): string => `/basemap/${hash}.pmtiles`

/** Decides which basemap is drawn: what ops chose, otherwise the configured style, otherwise an archive, if there is one. */
export function basemapService({ store, archives, configuredStyle }: Deps) {
  let last: SavedChoice | undefined

  /** The choice; while the database does not answer, the last one that was read. */
  const choice = () =>
    store.get().then(
      (saved) => {
        last = saved
        return saved
      },
      () => last,
    )

  const shownOf = (saved: SavedChoice | undefined, file: ArchiveState): Source => {
    const wanted = saved?.source ?? (configuredStyle ? 'style' : 'file')
    return wanted === 'file' && file.state !== 'ready' ? 'none' : wanted
  }
  const styleOf = (saved: SavedChoice | undefined) => saved?.styleUrl ?? configuredStyle ?? null

  async function describe(saved: SavedChoice | undefined): Promise<Basemap> {
    const file = await archives.look()
    return {
      shown: shownOf(saved, file),
      source: saved?.source ?? null,
      styleUrl: styleOf(saved),
      file: describeFile(file),
      updatedAt: saved?.updatedAt ?? null,
    }
  }

  return {
    get: async (): Promise<Basemap> => describe(await store.get()),

    async choose({ source, styleUrl }: BasemapChoice, actor: Actor): Promise<Basemap> {
      await store.set(source === null ? null : { source, styleUrl: styleUrl ?? null }, actor)
      return describe(await store.get())
    },

    /** What maps draw, for the console's page and settings. */
    async drawn(): Promise<Drawn> {
      const [saved, file] = await Promise.all([choice(), archives.look()])
      const shown = shownOf(saved, file)
      return {
        styleUrl: shown === 'style' ? styleOf(saved) : null,
        archive:
          shown === 'file' && file.state === 'ready'
            ? { url: archivePath(file.archive.hash), attribution: file.archive.attribution }
            : null,
      }
    },
  }
}

function describeFile(file: ArchiveState): Basemap['file'] {
  const nothing = { name: null, bytes: null, fault: null, minZoom: null, maxZoom: null, bounds: null }
  if (file.state === 'none') return { ...nothing, state: 'none' }
  if (file.state !== 'ready') return { ...nothing, ...file }
  const { name, bytes, minZoom, maxZoom, bounds } = file.archive
  return { state: 'ready', name, bytes, fault: null, minZoom, maxZoom, bounds }
}
