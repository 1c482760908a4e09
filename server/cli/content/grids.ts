import { type GridListing, listGrids, usesInWords } from '../../modules/reference-systems/grids/list-grids.ts'
import { readConfig } from '../../platform/config.ts'
import { gridsFolder } from '../../platform/platform.ts'
import { counted, type Group, JSON_OUTPUT, printResult } from '../command.ts'
import { assertNoArguments, readOptions } from '../context.ts'

/** Lists the installed grid files, and missing well-known ones. Exits with 1 if one cannot be used. */
async function grids(args: string[]) {
  const { values, positionals } = readOptions(args, JSON_OUTPUT)
  assertNoArguments(positionals)
  const listing = listGrids(gridsFolder(readConfig(process.env)))
  printResult(values, listing, inWords(listing))
  if (listing.grids.some(({ unusable }) => unusable !== null)) process.exitCode = 1
}

function inWords({ folder, fault, grids, missing }: GridListing): string {
  const here = grids.map(({ file, bytes, unusable, projName, uses }) => {
    const adds = projName ? usesInWords(uses) : 'PROJ has no transformation that uses it'
    return `  ${file} (${sizeOf(bytes)}): ${unusable === null ? adds : `cannot be used: ${unusable}`}`
  })
  const absent = missing.map(
    ({ file, publisher, covers, uses }) => `  ${file} (${publisher}; ${covers}): ${usesInWords(uses)}`,
  )
  return [
    `${folder}: ${fault ?? counted(grids.length, 'grid')}`,
    ...here,
    '',
    'Missing well-known grids:',
    ...absent,
    '',
    'The agencies publish their grids. PROJ-data has most of them in the form above: see "Resource files" in the documentation of PROJ. Put files into the folder; nothing is downloaded. EGM96 is bundled.',
  ].join('\n')
}

const sizeOf = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

export const GRIDS: Group = {
  title: 'Grids',
  commands: [
    {
      words: 'grids',
      usage: '[--json]',
      summary: 'list the grid files for transformations, and well-known ones that are missing',
      about:
        'Grids make transformations between reference systems accurate. They are in "grids" of the data folder,\nor in CAIRN_GRIDS. Needs no database, and downloads nothing.',
      examples: [['cairn grids', 'installed files with their transformations, and missing ones']],
      exits: [[1, 'a file cannot be used']],
      run: grids,
    },
  ],
}
