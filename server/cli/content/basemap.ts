import { addArchive, removeArchives } from '../../modules/basemap/archive/add-archive.ts'
import { UnusableArchive } from '../../modules/basemap/archive/pmtiles.ts'
import { basemapFolder } from '../../modules/basemap/index.ts'
import { readConfig } from '../../platform/config.ts'
import { release } from '../../platform/process/release.ts'
import { openDataFolder } from '../../platform/storage/folder/data-folder.ts'
import { type Group, JSON_OUTPUT, printResult } from '../command.ts'
import { assertNoArguments, readOptions, UsageError } from '../context.ts'

/** Copies an archive into the data folder. A running service draws it without a restart. */
async function add(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  const [file, ...rest] = positionals
  if (!file || rest.length > 0) throw new UsageError('Name the archive: basemap add streets.pmtiles')
  const folder = await folderOfArchives()
  const added = await addArchive(file, folder).catch((error: Error) => {
    throw error instanceof UnusableArchive ? new Error(`"${file}" ${error.message}`) : error
  })
  const { path, bytes, minZoom, maxZoom, bounds } = added
  const [west, south, east, north] = bounds
  printResult(
    values,
    { path, bytes, minZoom, maxZoom, bounds },
    `${path}: ${(bytes / 1e6).toFixed(1)} MB, zoom levels ${minZoom} to ${maxZoom}, longitudes ${west} to ${east}, latitudes ${south} to ${north}`,
  )
}

async function remove(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  assertNoArguments(positionals)
  const removed = await removeArchives(await folderOfArchives())
  printResult(values, { removed }, removed === 0 ? 'There was no basemap' : 'The basemap was removed')
}

async function folderOfArchives(): Promise<string> {
  const config = readConfig(process.env)
  if (config.CAIRN_BASEMAP)
    throw new Error(`CAIRN_BASEMAP names the archive to draw: unset it, or replace the file ${config.CAIRN_BASEMAP}`)
  openDataFolder(config.CAIRN_DATA_DIR, await release())
  return basemapFolder(config)
}

export const BASEMAPS: Group = {
  title: 'Basemap',
  commands: [
    {
      words: 'basemap add',
      usage: 'FILE.pmtiles [--json]',
      summary: 'draw streets in the console from a PMTiles archive of the Protomaps basemap',
      about:
        'Checks the archive, copies it to "basemap" of the data folder, and removes the one before. A running service\ndraws it for pages that are opened afterwards. Needs no database, and downloads nothing.',
      examples: [['cairn basemap add town.pmtiles', 'the console draws the streets of the archive']],
      exits: [[1, 'the archive cannot be used; the one before stays']],
      run: add,
    },
    {
      words: 'basemap remove',
      usage: '[--json]',
      summary: 'remove the archive from the data folder',
      examples: [['cairn basemap remove', 'the console draws the bundled map']],
      run: remove,
    },
  ],
}
