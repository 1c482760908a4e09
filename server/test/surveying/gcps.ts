import type { Caller } from '../service.ts'

/** A pose at these degrees; all its figures differ. */
export const pose = (lat: number, lon: number, h = 10) => ({
  position: { lat, lon, h },
  angles: { yaw: 1, pitch: 2, roll: 3 },
})

/** What tests of ground control points make over HTTP, as this user unless another caller is named. */
export const gcpsBy = (user: () => Caller) => ({
  create: (fields: object, caller = user()) => caller.post('/api/gcp', { title: 'Mark', gcpType: 'SINGLE', ...fields }),
  zone: async (title = 'Park', caller = user()): Promise<number> =>
    (await caller.post('/api/zones', { title })).body.id,
})

/** Of a refusal: its status, and the code and place of its first fault. */
export const issues = (answer: { status: number; body: { error: { code: string; path: unknown[] }[] } }) => [
  answer.status,
  answer.body.error[0]!.code,
  answer.body.error[0]!.path,
]
