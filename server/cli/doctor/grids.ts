import { existsSync } from 'node:fs'
import { loadCrsTable } from '../../modules/reference-systems/crs.ts'
import { listGrids } from '../../modules/reference-systems/grids/list-grids.ts'
import type { Config } from '../../platform/config.ts'
import { dedicatedClient } from '../../platform/database/locks/dedicated-client.ts'
import { gridsFolder } from '../../platform/platform.ts'
import { counted } from '../command.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Limits: number of the newest points to check, and of named systems. */
const MAX_POINTS = 20_000
const MAX_SYSTEMS = 20

/** Checks the grid files. */
export function* gridFolder(config: Config): Generator<Finding> {
  const { folder, fault, grids } = listGrids(gridsFolder(config))
  if (fault) {
    const isWanted = config.CAIRN_GRIDS !== undefined || existsSync(folder)
    yield isWanted
      ? fail('grids', `${folder}: ${fault}`, 'Make the folder readable, or set CAIRN_GRIDS to the folder of grids')
      : ok('grids', `none: there is no folder ${folder}`)
    return
  }
  for (const { file, unusable } of grids)
    if (unusable !== null)
      yield warn('grids', `${file} cannot be used: ${unusable}`, 'Get the file again from its publisher')
  yield ok('grids', `${counted(grids.length, 'file')} in ${folder}; cairn grids lists them`)
}

type Imported = { crs: string; accuracy: number | null; points: number; latitude: number; longitude: number }

const IMPORTED = `
  select crs, accuracy, count(*)::int as points, min(latitude) as latitude, min(longitude) as longitude
  from (select survey -> 'transformation' ->> 'crs' as crs, (survey -> 'transformation' ->> 'accuracy')::float8 as accuracy,
          pin.latitude, pin.longitude
        from (select id, survey from gcps order by id desc limit ${MAX_POINTS}) newest
        join pins pin on pin.gcp_id = newest.id and pin.latitude is not null
        where survey ? 'transformation') imported
  group by crs, accuracy order by points desc limit ${MAX_SYSTEMS}`

/** Grids that would have made recently imported points more accurate. */
export async function neededGrids(config: Config, databaseUrl: string): Promise<Finding[]> {
  const imported = await importedLately(databaseUrl)
  if (imported.length === 0) return []
  const table = await loadCrsTable({ gridFolder: gridsFolder(config) })
  try {
    const needs = imported.flatMap(({ crs, accuracy, points, latitude, longitude }) => {
      const found = table.find(crs)
      const sentence = typeof found === 'object' ? found.needs(accuracy, longitude, latitude) : undefined
      return sentence === undefined ? [] : [{ sentence, points }]
    })
    return needs.map(({ sentence, points }) =>
      warn(
        'grids',
        `${counted(points, 'imported point')}: ${sentence}`,
        `Put the file into ${gridsFolder(config)}, and import the survey file again; cairn grids names the publishers`,
      ),
    )
  } finally {
    table.close()
  }
}

async function importedLately(databaseUrl: string): Promise<Imported[]> {
  const client = dedicatedClient(databaseUrl, 'cairn-doctor')
  await client.connect()
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `select count(*) = 2 as there from information_schema.tables where table_schema = current_schema() and table_name in ('gcps', 'pins')`,
    )
    return rows[0]!.there ? (await client.query<Imported>(IMPORTED)).rows : []
  } finally {
    await client.end().catch(() => {})
  }
}
