import { HttpError } from '../../../platform/errors.ts'
import type { TagConflict } from '../schema.ts'

/** The most conflicts in an error; check-april-tag returns all. */
const MAX_LISTED = 10

/** The error for a claim to a tag that is taken: one issue for each conflict, nearest first. */
export function tagConflict(status: 400 | 409, conflicts: TagConflict[]): HttpError {
  const issues = conflicts.slice(0, MAX_LISTED).map(({ aprilTagId, gcpId, title, distance }) => {
    const where = distance === null ? 'in the same zone' : `${distance.toFixed(1)} m away`
    const message = `AprilTag ${aprilTagId} is already carried by GCP ${gcpId} "${title}" ${where}`
    return { code: 'april_tag_conflict', message, path: ['aprilTagId'] }
  })
  return new HttpError(status, issues)
}
