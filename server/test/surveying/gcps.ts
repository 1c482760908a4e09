import type { Caller } from '../service.ts'

/** A pose with these degrees; all numbers differ. */
export const pose = (lat: number, lon: number, h = 10) => ({
  position: { lat, lon, h },
  angles: { yaw: 1, pitch: 2, roll: 3 },
})

/** Common steps of tests of ground control points over HTTP, as this user unless another caller is given. */
export const gcpsBy = (user: () => Caller) => ({
  create: (fields: object, caller = user()) => caller.post('/api/gcp', { title: 'Mark', gcpType: 'SINGLE', ...fields }),
  zone: async (title = 'Park', caller = user()): Promise<number> =>
    (await caller.post('/api/zones', { title })).body.id,
})

/** The status of an error, with the code and path of its first fault. */
export const issues = (answer: { status: number; body: { error: { code: string; path: unknown[] }[] } }) => [
  answer.status,
  answer.body.error[0]!.code,
  answer.body.error[0]!.path,
]
