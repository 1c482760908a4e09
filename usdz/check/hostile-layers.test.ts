import { expect, test } from 'vitest'
import { ConversionError, fixPackage, readUsdzPreview } from '../index.ts'
import { readZip } from '../layers/read-zip.ts'
import { writePackage } from '../package/zip.ts'
import { layeredPackage } from '../test/content/layered-package.ts'
import { mutateText } from '../test/fuzz/mutate-text.ts'
import { randomFrom } from '../test/fuzz/random.ts'
import { inspectPackage } from './check-package.ts'
import { rules } from './rules/rules.ts'

const ruleCount = Object.keys(rules).length

/** Checks, repairs and draws a package: each returns, or refuses it with a reason. */
async function judge(usdz: Uint8Array): Promise<void> {
  expect(inspectPackage(usdz)).toHaveLength(ruleCount)
  fixPackage(usdz)
  await readUsdzPreview(usdz).catch((error: unknown) => {
    if (!(error instanceof ConversionError)) throw error
  })
}

/** Damaged packages; `CAIRN_TEST_ROUNDS=10000` tries more. */
const rounds = Number(process.env.CAIRN_TEST_ROUNDS ?? 400)

test('damaged text layers are checked, repaired and drawn, or refused with a reason', {
  tags: ['long'],
  timeout: 600_000,
}, async () => {
  const random = randomFrom(20261127)
  const files = readZip(layeredPackage())
  for (let round = 0; round < rounds; round++) {
    const harmed = files.map(({ name, data }) => ({
      name,
      parts: [
        /\.usda$/.test(name) && random(2) === 0 ? Buffer.from(mutateText(Buffer.from(data).toString(), random)) : data,
      ],
    }))
    await judge(writePackage(harmed))
  }
})

const packed = (files: Record<string, string>) =>
  writePackage(Object.entries(files).map(([name, text]) => ({ name, parts: [Buffer.from(`#usda 1.0\n${text}`)] })))
const many = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at)).join('\n')

test.each<[string, Record<string, string>]>([
  ['a layer that is its own sublayer', { 'a.usda': '( subLayers = [@a.usda@] )\ndef Mesh "A" { }' }],
  ['references in a circle', { 'a.usda': 'def "A" ( references = </B> ) { }\ndef "B" ( references = </A> ) { }' }],
  [
    'references that double at each step',
    {
      'a.usda': many(
        30,
        (at) =>
          `def "P${at}" { def "L" ( references = </P${at + 1}> ) { }\n def "R" ( references = </P${at + 1}> ) { } }`,
      ),
    },
  ],
  [
    'a prim of many properties that many references bring in',
    {
      'a.usda': `def "A" { ${many(3000, (at) => `float x${at} = 1`)} }\n${many(3000, (at) => `def "B${at}" ( references = </A> ) { }`)}`,
    },
  ],
  [
    'many layers',
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`l${at}.usda`, `( subLayers = [@l${at + 1}.usda@] )`])),
  ],
])('%s ends with a finding, not an exception', { tags: ['long'] }, async (_, files) => {
  await judge(packed(files))
})
