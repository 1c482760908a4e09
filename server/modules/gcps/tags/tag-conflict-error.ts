import { HttpError } from '../../../platform/errors.ts'
import type { TagConflict } from '../schema.ts'

/** So many are told at most; check-april-tag tells all. */
const TOLD = 10

/** The refusal of a claim to a tag: each bearer that it conflicts with, nearest first. */
export function tagConflict(status: 400 | 409, conflicts: TagConflict[]): HttpError {
  const issues = conflicts.slice(0, TOLD).map(({ aprilTagId, gcpId, title, distance }) => {
    const where = distance === null ? 'in the same zone' : `${distance.toFixed(1)} m away`
    const message = `April tag ${aprilTagId} is already carried by GCP ${gcpId} "${title}" ${where}`
    return { code: 'april_tag_conflict', message, path: ['aprilTagId'] }
  })
  return new HttpError(status, issues)
}
