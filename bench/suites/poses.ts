import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { frameAt, inFrame } from '../../server/modules/localization/pose/frames.ts'
import { length } from '../../server/modules/localization/pose/vectors.ts'
import type { Localization } from '../../server/modules/localization/schema.ts'
import { cameraScene } from '../../server/test/content/tags/camera-scene.ts'
import { QUANTILE_95, squareOf } from '../../server/test/content/tags/ellipsoid.ts'
import { formOf, withTexts } from '../../server/test/multipart.ts'
import { withTemporaryDatabase } from '../databases/temporary-database.ts'
import { startChild } from '../processes/child.ts'
import type { Comparison } from '../record/comparison.ts'

const RADIUS = 60
/** Sites are that far apart: tags are used in all of them. */
const DEGREES_APART = 0.1
/** Standard deviations of the number of scenes inside that are chance. */
const CHANCE = 3
const SHARE = 0.95

type Service = { url: string; token: string }
type Located = Pick<Localization, 'state'> & {
  ambiguous: boolean
  tags: number
  tilt: number
  distance: number
  accuracyH: number
  /** Of the poses, the least: the square of the error in units of its covariance, and the error in metres. */
  square: number
  metres: number
}

/**
 * Cameras of drawn photos, found over HTTP by surveyed tags, whose true places are inside the ellipsoid of 95 % that the service
 * states: of all, and by what makes them difficult. Too few are as wrong as too many. @param url a PostgreSQL that may create databases
 */
export function benchPoses(url: string, scenes = 1000): Promise<Comparison[]> {
  return withTemporaryDatabase(url, async (databaseUrl) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-poses-'))
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const service = await startChild<Service>('service-process.ts', [databaseUrl, folder])
    try {
      const located: Located[] = []
      for (let seed = 0; seed < scenes; seed++) {
        located.push(await locatedIn(seed, service, client))
        if (seed % 100 === 99) console.log(`  ${seed + 1} scenes`)
      }
      return comparisonsOf(located)
    } finally {
      await service.stop()
      await client.end()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

async function locatedIn(seed: number, { url, token }: Service, client: pg.Client): Promise<Located> {
  const site = { lat: -60 + (seed % 1200) * DEGREES_APART, lon: 20 + Math.floor(seed / 1200), h: 100 }
  const { bytes, lens, camera, points, tilt, distance, accuracyH } = await cameraScene(seed, site)
  for (const { position, accuracyV, ...tag } of points) {
    const geoPose = { position, angles: { yaw: 0, pitch: 0, roll: 0 } }
    const { accuracyH: horizontal, ...known } = tag
    const { gcp } = await answerOf(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Tag', gcpType: 'SINGLE', geoPose, ...known }),
      path: '/api/gcp',
    })
    // As a survey file states them.
    const survey = { accuracyH: horizontal, accuracyV }
    await client.query(`update gcps set survey = coalesce(survey, '{}') || $2 where id = $1`, [gcp.id, survey])
  }
  const near = { lat: site.lat, lon: site.lon, radius: RADIUS }
  const form = formOf({ field: 'image', name: 'a.jpg', bytes })
  const body = withTexts(form, { camera: JSON.stringify(lens), near: JSON.stringify(near) })
  const answer: Localization = await answerOf(url, { method: 'POST', body, path: '/api/location/localize' })
  const poses = answer.state === 'unknown' ? [] : [answer, ...answer.candidates]
  const errors = poses.map(({ geoPose, covariance }) => {
    const error = inFrame(frameAt(camera), geoPose!.position)
    return { square: squareOf(error, covariance!), metres: length(error) }
  })
  const [least] = errors.toSorted((a, b) => a.square - b.square)
  const tags = answer.tags.filter(({ gcpId }) => gcpId !== null).length
  return {
    ...{ state: answer.state, ambiguous: answer.state === 'ambiguous', tags, tilt, distance, accuracyH },
    ...(least ?? { square: Number.NaN, metres: Number.NaN }),
  }
}

async function answerOf(url: string, { path, ...init }: RequestInit & { path: string }) {
  const answer = await fetch(`${url}${path}`, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${init.method} ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}

const GROUPS: [string, (one: Located) => boolean][] = [
  ['all', () => true],
  ['one tag', ({ tags }) => tags === 1],
  ['two tags', ({ tags }) => tags === 2],
  ['three tags or more', ({ tags }) => tags > 2],
  ['tilt below 20°', ({ tilt }) => tilt < 20],
  ['tilt from 20° to 40°', ({ tilt }) => tilt >= 20 && tilt < 40],
  ['tilt from 40° to 60°', ({ tilt }) => tilt >= 40],
  ['nearer than 3 m', ({ distance }) => distance < 3],
  ['3 to 6 m away', ({ distance }) => distance >= 3 && distance < 6],
  ['6 to 12 m away', ({ distance }) => distance >= 6],
  ['surveyed to 3 mm', ({ accuracyH }) => accuracyH < 0.01],
  ['surveyed to 2 cm', ({ accuracyH }) => accuracyH >= 0.01],
]

function comparisonsOf(all: Located[]): Comparison[] {
  const found = all.filter(({ state }) => state === 'found')
  const ambiguous = all.filter((one) => one.ambiguous)
  return [
    ...GROUPS.map(([name, isIn]) => comparisonOf(name, found.filter(isIn), { scenes: all.length })),
    comparisonOf('ambiguous, the pose that fits the truth best', ambiguous, { scenes: all.length }),
  ]
}

function comparisonOf(group: string, cameras: Located[], more: object): Comparison {
  const inside = cameras.filter(({ square }) => square < QUANTILE_95).length
  const share = inside / cameras.length
  const chance = CHANCE * Math.sqrt((SHARE * (1 - SHARE)) / cameras.length)
  const [least, most] = [SHARE - chance, Math.min(1, SHARE + chance)].map((one) => Number(one.toFixed(3)))
  const centimetres = cameras.map(({ metres }) => Math.round(metres * 1000) / 10).toSorted((a, b) => a - b)
  const at = (quantile: number) => centimetres[Math.floor(quantile * centimetres.length)] ?? null
  return {
    name: `cameras inside their ellipsoid of 95 %, of drawn photos: ${group}`,
    ours: { ...more, cameras: cameras.length, inside, share, medianCentimetres: at(0.5), p95Centimetres: at(0.95) },
    peer: { share: SHARE, least, most },
    ratio: share / SHARE,
    target: `a share from ${least} to ${most}`,
  }
}
