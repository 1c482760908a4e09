import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../../platform/credentials/guards.ts'
import { needs } from '../../../platform/http/docs/openapi.ts'
import { noteChanges } from '../../../platform/http/responses/audit-writes.ts'
import { ErrorBody, pathInteger } from '../../../platform/schema.ts'
import { PlacedCorners, UploadedFile } from '../schema.ts'
import type { CornerService, PhotoChange } from './corner-service.ts'
import { MIN_SIDE } from './quadrilateral.ts'

const params = z.object({
  id: pathInteger.describe('Ground control point ID'),
  photoId: pathInteger.describe('The `id` of one of its uploaded photos'),
})
const path = '/gcp/:id/photos/:photoId/corners'

/** Mounted under /api. */
export const cornerRoutes =
  ({ service, guards }: { service: CornerService; guards: Guards }): FastifyPluginAsyncZod =>
  async (app) => {
    const security = guards.openWrites ? needs.optionalUser : needs.user

    app.put(
      path,
      {
        onRequest: guards.writer,
        schema: {
          tags: ['Ground control points'],
          security,
          operationId: 'setGcpPhotoCorners',
          summary: 'Set the corners of the tag in a photo by hand',
          description: `For a photo in which the tag of the point was not found, or not exactly. The corners count instead of those that the detector found, in \`tags\`, \`tagCheck\` and exports, and have the \`source\` \`hand\`. Later checks do not change them. They apply to this point alone, and are deleted when it no longer shows the photo. They must be inside the image, at least ${MIN_SIDE} pixels apart, and those of a convex quadrilateral. Available to the creator of the point, the owner and editors of its zone, and ops.`,
          params,
          body: PlacedCorners,
          response: { 200: UploadedFile, 403: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        },
      },
      async (request) => {
        const { id, photoId } = request.params
        const change = await service.place(guards.writerOf(request), id, photoId, request.body.corners)
        noteChanges(request, changesOf(change))
        return change.after
      },
    )

    app.delete(
      path,
      {
        onRequest: guards.writer,
        schema: {
          tags: ['Ground control points'],
          security,
          operationId: 'removeGcpPhotoCorners',
          summary: 'Remove the corners that were placed by hand in a photo',
          description: 'The tags that the detector found count again.',
          params,
          response: { 204: z.null().describe('Removed'), 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const { id, photoId } = request.params
        noteChanges(request, changesOf(await service.remove(guards.writerOf(request), id, photoId)))
        return reply.code(204).send(null)
      },
    )
  }

/** For the audit: what the check said, and the corners of the tags that differ. */
function changesOf({ before, after }: PhotoChange) {
  const differing = ({ tags }: UploadedFile, other: UploadedFile) => {
    const others = new Set(other.tags.map((tag) => JSON.stringify(tag)))
    const own = tags.filter((tag) => !others.has(JSON.stringify(tag)))
    return own.length > 0 ? JSON.stringify(own.map(({ id, source, corners }) => ({ id, source, corners }))) : null
  }
  return {
    tags: { from: differing(before, after), to: differing(after, before) },
    tagCheck: { from: before.tagCheck, to: after.tagCheck },
  }
}
