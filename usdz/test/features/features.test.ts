import { expect, test } from 'vitest'
import { convert } from '../../index.ts'
import { profiles } from '../../options/options.ts'
import { expectedOf } from '../expected.ts'
import { type Converted, judgeAll } from '../judgement.ts'
import { howOf, notesOf } from './feature.ts'
import { rows } from './table.ts'

test.each(rows.map(({ feature, group }) => [`${group}: ${feature.name}`, feature] as const))(
  '%s is converted as in the table, and the report names what is not exact',
  async (_name, feature) => {
    const glb = await feature.glb()
    for (const profile of profiles) {
      const { report } = await convert(glb, { profile })
      const codes = [...new Set(report.notes.map(({ code }) => code))].sort()
      expect([profile, ...codes]).toEqual([profile, ...notesOf(feature, profile).toSorted()])
      if (howOf(feature, profile) !== 'exact') expect(report.notes).not.toEqual([])
    }
  },
)

test('all readers find the content of the GLB in each of them', { tags: ['long'], timeout: 300_000 }, async () => {
  const converted: Converted[] = []
  const misread = new Map<string, RegExp>()
  for (const { feature } of rows) {
    const glb = await feature.glb()
    const expected = await expectedOf(glb)
    for (const profile of profiles) {
      const name = `${feature.name} (${profile})`
      if (feature.misread) misread.set(name, feature.misread)
      converted.push({ name, expected, ...(await convert(glb, { profile })) })
    }
  }
  const found = (await judgeAll(converted)).map(({ name, complaints }) => [
    name,
    ...complaints.filter((complaint) => !misread.get(name)?.test(complaint)),
  ])
  expect(found.filter(([, ...complaints]) => complaints.length > 0)).toEqual([])
})

test('no two rows share a picture', () => {
  expect(new Set(rows.map(({ picture }) => picture)).size).toBe(rows.length)
})
