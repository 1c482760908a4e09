import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { PROJ_DATA } from '../../../test/programs/cs2cs.ts'

const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Transforms points from CH1903 / LV03 to CH1903+ / LV95 in a process with the grids. */
const PROGRAM = `
  import { proj } from ${at('../proj/library.ts')}
  import { transformation } from ${at('../proj/operations.ts')}
  import { readSystem } from ${at('../proj/read-system.ts')}
  const library = await proj()
  const [from, to] = ['EPSG:21781', 'EPSG:2056'].map((code) => readSystem(library, code).pointer)
  const way = transformation(library, from, to)
  console.log(JSON.stringify(JSON.parse(process.argv[1]).map((point) => way.forward(point))))`

const POINTS = [
  [600000, 200000],
  [684592.1, 246731.6],
  [498123.4, 118456.7],
]

/** PROJ's own program does not know Debian's spelling of the grid: give it all steps. */
const STEPS =
  '+proj=pipeline ' +
  '+step +inv +proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=600000 +y_0=200000 +ellps=bessel ' +
  '+step +proj=hgridshift +grids=CHENYX06a.gsb ' +
  '+step +proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=2600000 +y_0=1200000 +ellps=bessel'

test('converts CH1903 / LV03 to CH1903+ / LV95 with CHENYX06a.gsb as Debian spells it, to 1 mm of PROJ', () => {
  const run = (program: string, words: string[], input = '') =>
    execFileSync(program, words, {
      input,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, CAIRN_GRIDS: PROJ_DATA, PROJ_NETWORK: 'OFF' },
    })
  const ours = JSON.parse(run(process.execPath, ['--input-type=module', '-e', PROGRAM, JSON.stringify(POINTS)]))
  const lines = run('cct', ['-d', '6', ...STEPS.split(' ')], POINTS.map((point) => `${point.join(' ')} 0 0\n`).join(''))
  const expected = lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).slice(0, 2).map(Number))
  for (const [i, { coordinates, operation }] of ours.entries()) {
    expect(Math.hypot(coordinates[0] - expected[i]![0]!, coordinates[1] - expected[i]![1]!)).toBeLessThan(0.001)
    expect(operation).toMatchObject({ grids: ['ch_swisstopo_CHENyx06a.tif'], accuracy: 0.2 })
  }
  expect(expected).toHaveLength(POINTS.length)
})
