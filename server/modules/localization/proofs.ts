import type { Secrets } from '../../platform/credentials/secrets.ts'
import type { PhotoFacts } from '../tags/reading/photo-facts.ts'
import type { Localization } from './schema.ts'

/** How long a localization proves where a camera was. */
export const PROOF_SECONDS = 300
/** Corners are compared in this part of the width of the image, so that another size of a photo is the same photo. */
const PARTS_OF_WIDTH = 10_000
/** Tags of a proof; more add nothing. */
const MAX_TAGS = 12

/** Where a camera was, by the surveyed tags in its photo. */
export type Proof = {
  lat: number
  lon: number
  /** Radius in metres within which the camera was with a probability of about two thirds. */
  accuracy: number
  /** The points by which it was located. */
  gcpIds: number[]
  /** By tag ID, and in the same order eight coordinates of each tag: a photo is recognized by them. */
  tagIds: number[]
  corners: number[]
}

const PURPOSE = 'location-proof'

type Sealed = Proof & { until: number }

/** What a localization found, sealed, so that a check-in can rely on it. */
export function locationProofs({ seal, open }: Pick<Secrets, 'seal' | 'open'>) {
  return {
    /** A proof of a pose that is not ambiguous. @param now milliseconds since 1970 */
    issue({ geoPose, covariance, tags }: Localization, facts: PhotoFacts, now: number): string {
      const used = tags.filter(({ gcpId }) => gcpId !== null)
      const seen = facts.tags
        .filter(({ id }) => used.some(({ aprilTagId }) => aprilTagId === id))
        .toSorted((a, b) => a.id - b.id)
        .slice(0, MAX_TAGS)
      const { lat, lon } = geoPose!.position
      const sealed: Sealed = {
        ...{ lat, lon, accuracy: Math.sqrt(covariance![0]![0]! + covariance![1]![1]!) },
        gcpIds: [...new Set(used.map(({ gcpId }) => gcpId!))],
        tagIds: seen.map(({ id }) => id),
        corners: seen.flatMap(({ corners }) =>
          corners.flat().map((pixels) => Math.round((pixels / facts.width) * PARTS_OF_WIDTH)),
        ),
        until: now + PROOF_SECONDS * 1000,
      }
      return seal(PURPOSE, JSON.stringify(sealed))
    },

    /** What a proof of this service says; `expired` if it is too old, undefined if it is none. */
    read(text: string, now: number): Proof | 'expired' | undefined {
      try {
        const { until, ...proof } = JSON.parse(open(PURPOSE, text)) as Sealed
        return until < now ? 'expired' : proof
      } catch {
        return undefined
      }
    },
  }
}

export type LocationProofs = ReturnType<typeof locationProofs>
