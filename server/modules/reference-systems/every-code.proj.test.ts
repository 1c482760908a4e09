import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Judged } from '../../test/every-code/judge.ts'
import { knownDifferences, knownRefusals } from '../../test/every-code/known.ts'
import { OUR_PROJ_DB } from '../../test/every-code/ours.ts'
import { type Judgement, judgeCodes } from '../../test/every-code/run.ts'
import { sampleCodes, traitsOfCodes } from '../../test/every-code/sample.ts'
import { refusedIn, refusedOn, withTables } from '../../test/every-code/table.ts'
import { projVersion } from '../../test/programs/cs2cs.ts'

const isWhole = process.env.CAIRN_TEST_EPSG === 'all'
const page = new URL('../../../docs/reference-systems.md', import.meta.url)
const sample = sampleCodes(OUR_PROJ_DB)

let judged: Judgement
beforeAll(async () => {
  judged = await judgeCodes(isWhole ? undefined : sample)
}, 3_600_000)

const all = () => [...judged.without, ...judged.gridded]
const of = (outcome: Judged['outcome']) => all().filter((one) => one.outcome === outcome)

describe('projected and geographic EPSG codes, compared with cs2cs', () => {
  test('the sample has every projection method, datum, coordinate system and grid of the register', () => {
    const traits = traitsOfCodes(OUR_PROJ_DB)
    const sampled = new Set(sample.flatMap((code) => traits.get(code)!))
    expect([...new Set([...traits.values()].flat())].filter((trait) => !sampled.has(trait))).toEqual([])
  })

  test('gives the position of cs2cs, to 1 mm by the same operation, otherwise within the stated accuracies', () => {
    expect(of('off')).toEqual([])
    expect(of('same').length).toBeGreaterThan(0)
  })

  test('is refused only if cs2cs has no transformation with a stated accuracy either', () => {
    expect(of('refused').filter(({ lost }) => lost !== undefined)).toEqual([])
  })

  test('each exception in known.ts differs', () => {
    const listed = [...knownDifferences, ...knownRefusals].flatMap(({ codes }) => codes)
    const found = judged.without.filter(({ isKnown }) => isKnown).map(({ code }) => code)
    expect(listed.toSorted((a, b) => a - b)).toEqual(found)
  })

  test('uses the grids of Debian like cs2cs', () => {
    expect(judged.gridded.length).toBeGreaterThan(0)
  })

  test('docs/reference-systems.md says of each code whether it is refused, and why', async () => {
    const documented = refusedOn(await readFile(page, 'utf8'))
    const compared = new Set(judged.without.map(({ code }) => code))
    const documentedOfSample = [...documented].filter(([code]) => compared.has(code)).sort(([a], [b]) => a - b)
    expect([...refusedIn(judged.without)]).toEqual(documentedOfSample)
    expect(documentedOfSample.length).toBeGreaterThan(0)
  })

  test.runIf(isWhole && projVersion() === '9.1.1')(
    'docs/reference-systems.md has the tables of this comparison, written by npm run every-code',
    async () => {
      const text = await readFile(page, 'utf8')
      expect(withTables(text, judged)).toBe(text)
    },
  )
})
