import { expect, test } from 'vitest'
import { createSecrets } from '../../platform/credentials/secrets.ts'
import type { PhotoFacts } from '../tags/reading/photo-facts.ts'
import { locationProofs, PROOF_SECONDS } from './proofs.ts'
import type { Localization } from './schema.ts'

const corners = '100,0 200,0 200,100 100,100'.split(' ').map((pixel) => pixel.split(',').map(Number))
const facts = { width: 1000, height: 500, tags: [{ id: 4, corners }] } as unknown as PhotoFacts
const found = {
  geoPose: { position: { lat: 1, lon: 2, h: 3 } },
  covariance: [[9], [0, 16]],
  tags: [{ aprilTagId: 4, gcpId: 7, reprojectionError: 0 }],
} as unknown as Localization

test('a proof has the place and its accuracy, and what the photo is recognized by', () => {
  const { issue, read } = locationProofs(createSecrets('a'.repeat(40)))
  expect(read(issue(found, facts, 0), 0)).toEqual({
    ...{ lat: 1, lon: 2, accuracy: 5, gcpIds: [7], tagIds: [4] },
    corners: [1000, 0, 2000, 0, 2000, 1000, 1000, 1000],
  })
})

test('a proof expires, and is one of this service only', () => {
  const { issue, read } = locationProofs(createSecrets('a'.repeat(40)))
  const proof = issue(found, facts, 0)
  expect(read(proof, PROOF_SECONDS * 1000)).toMatchObject({ lat: 1 })
  expect(read(proof, PROOF_SECONDS * 1000 + 1)).toBe('expired')
  expect(locationProofs(createSecrets('b'.repeat(40))).read(proof, 0)).toBeUndefined()
})
