import { expect, test } from 'vitest'
import type { NoteCode } from '../../note-codes.ts'
import { silentLoss } from './losses.ts'

const reported = (...codes: NoteCode[]) => ({
  notes: codes.map((code) => ({ code, effect: 'changed' as const, message: code })),
})

test('pictures that differ need a note of something visible; pictures that do not need none', () => {
  expect(silentLoss(reported(), 0.98)).toBeUndefined()
  expect(silentLoss(reported(), undefined)).toBeUndefined()
  expect(silentLoss(reported(), 0.97)).toContain('no notes')
  expect(silentLoss(reported('sheen'), 0.97)).toBeUndefined()
  expect(silentLoss(reported('vertex_colors'), 0.97)).toBeUndefined()
})

test('a note of what nobody can see explains no difference', () => {
  expect(silentLoss(reported('cameras', 'empty_nodes', 'texture_reencoded'), 0.97)).toContain('cameras, empty_nodes')
})
