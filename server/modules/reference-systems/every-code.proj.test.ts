import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Judged } from '../../test/every-code/judge.ts'
import { knownDifferences, knownRefusals } from '../../test/every-code/known.ts'
import { type Judgement, judgeEveryCode } from '../../test/every-code/run.ts'
import { withTables } from '../../test/every-code/table.ts'
import { projVersion } from '../../test/programs/cs2cs.ts'

const { CAIRN_TEST_EPSG_PART } = process.env
const page = new URL('../../../docs/reference-systems.md', import.meta.url)

let judged: Judgement
beforeAll(async () => {
  judged = await judgeEveryCode(CAIRN_TEST_EPSG_PART)
}, 3_600_000)

const all = () => [...judged.without, ...judged.gridded]
const of = (outcome: Judged['outcome']) => all().filter((one) => one.outcome === outcome)

describe('every projected and geographic EPSG code, compared with cs2cs', () => {
  test('gives the position of cs2cs, to 1 mm by the same operation, otherwise within the stated accuracies', () => {
    expect(of('off')).toEqual([])
    expect(of('same').length).toBeGreaterThan(0)
  })

  test('is refused only if cs2cs has no transformation with a stated accuracy either', () => {
    expect(of('refused').filter(({ lost }) => lost !== undefined)).toEqual([])
  })

  test.skipIf(CAIRN_TEST_EPSG_PART !== undefined)('each exception in known.ts differs', () => {
    const listed = [...knownDifferences, ...knownRefusals].flatMap(({ codes }) => codes)
    const found = judged.without.filter(({ isKnown }) => isKnown).map(({ code }) => code)
    expect(listed.toSorted((a, b) => a - b)).toEqual(found)
  })

  test('uses the grids of Debian like cs2cs', () => {
    expect(judged.gridded.length).toBeGreaterThan(0)
  })

  test.skipIf(CAIRN_TEST_EPSG_PART !== undefined || projVersion() !== '9.1.1')(
    'docs/reference-systems.md has the tables of this comparison, written by server/test/every-code/write-docs.ts',
    async () => {
      const text = await readFile(page, 'utf8')
      expect(withTables(text, judged)).toBe(text)
    },
  )
})
