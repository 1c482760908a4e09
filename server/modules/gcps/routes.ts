import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { ChangeConditions, conditionsOf, quoteTag } from '../../platform/http/conditions.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { pageRows } from '../../platform/http/pages.ts'
import { noteCreated } from '../../platform/http/responses/audit-writes.ts'
import { sendRows } from '../../platform/http/responses/streamed-rows.ts'
import { ErrorBody, givenAddress, pathInteger } from '../../platform/schema.ts'
import { Pin } from '../pins/schema.ts'
import type { ListService } from './list-service.ts'
import {
  ConflictQuery,
  Gcp,
  GcpChange,
  GcpListQuery,
  NewGcp,
  PoseQuery,
  TagAnswer,
  TagConflictList,
  TagQuery,
} from './schema.ts'
import { type GcpService, tagOfGcp } from './service.ts'
import type { ConflictService } from './tags/conflict-service.ts'
import type { TagService } from './tags/tag-service.ts'

const tags = ['Ground control points']
const params = z.object({ id: pathInteger.describe('Ground control point ID') })
type Deps = {
  service: GcpService
  lists: ListService
  aprilTags: TagService
  conflicts: ConflictService
  guards: Guards
}

/** `gcpData` of 65,536 characters, each escaped, and all the rest. */
const CREATION_BYTES = 512 * 1024
/** A hundred addresses of photos, and all the rest. */
const CHANGE_BYTES = 256 * 1024

/** Mounted under /api. */
export const gcpRoutes =
  ({ service, lists, aprilTags, conflicts, guards }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const writes = guards.openWrites ? needs.optionalUser : needs.user

    app.get(
      '/gcp',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          operationId: 'listGcps',
          summary: 'List ground control points',
          description:
            'Oldest first. `zoneId` selects a zone; an unknown zone has no points. `outsideZone` selects the points of that zone outside its boundary (`true`) or inside (`false`). At most 10,000 per page, 1,000 with `pose`: `Link` has the next page, `X-Total-Count` the total.',
          querystring: GcpListQuery,
          response: { 200: z.array(Gcp) },
        },
      },
      async (request, reply) => {
        const { page, gcps } = await lists.list(request.query)
        pageRows(request, reply, page)
        return sendRows(reply, gcps) as never
      },
    )

    app.post(
      '/gcp',
      {
        bodyLimit: CREATION_BYTES,
        onRequest: guards.writer,
        schema: {
          tags,
          security: writes,
          operationId: 'createGcp',
          summary: 'Create a ground control point and its pin',
          description:
            'The pin is placed at `geoPose.position`; without `geoPose` it has no coordinates. If only one of `altitude` and the height of `geoPose` is given, it sets both. A tag that other points within 100 m carry returns 400 with code `april_tag_conflict`, once for each of those points (at most ten, nearest first).',
          body: NewGcp,
          response: { 201: z.object({ gcp: Gcp, pin: Pin }) },
        },
      },
      async (request, reply) => {
        const gcp = await service.create(guards.writerOf(request), request.body)
        noteCreated(request, gcp.id)
        return reply.code(201).send({ gcp, pin: gcp.pin! })
      },
    )

    app.get(
      '/gcp/check-april-tag',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          operationId: 'checkAprilTag',
          summary: 'Check whether an AprilTag is free at a point',
          description:
            'Without a point, every ground control point with the tag is a conflict. With `excludeGcpId`, points without a location in the zone of that point count too, as they do when it is updated.',
          querystring: TagQuery,
          response: { 200: TagAnswer },
        },
      },
      async (request) => aprilTags.check(request.query),
    )

    app.get(
      '/gcp/tag-conflicts',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          operationId: 'listAprilTagConflicts',
          summary: 'List AprilTag conflicts',
          description:
            'Pairs of ground control points that carry the same AprilTag too close to each other, nearest pair first. Writes that would create a pair are refused; pairs come from older data and changed settings (`CAIRN_APRIL_TAG_METRES`). If there are more than 1,000 pairs, an arbitrary 1,000 of them are considered. Points without a location are in no pair.',
          querystring: ConflictQuery,
          response: { 200: TagConflictList },
        },
      },
      async (request, reply) => {
        const { total, pairs } = await conflicts.list(request.query)
        return sendRows(reply, pairs, { member: 'conflicts', beside: { total } }) as never
      },
    )

    app.get(
      '/gcp/:id',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          operationId: 'getGcp',
          summary: 'Get a ground control point',
          description:
            'Includes its pin, its zone and the records of its uploaded photos. Its `ETag` changes with each write of the point, not with what is found in its photos.',
          params,
          querystring: PoseQuery,
          response: { 200: Gcp, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        const gcp = await service.get(request.params.id, request.query.pose)
        return reply.header('etag', quoteTag(tagOfGcp(gcp))).send(gcp)
      },
    )

    app.put(
      '/gcp/:id',
      {
        bodyLimit: CHANGE_BYTES,
        onRequest: guards.writer,
        schema: {
          tags,
          security: writes,
          operationId: 'updateGcp',
          summary: 'Update a ground control point',
          description:
            'Omitted members are unchanged; `null` clears. The pin moves with `geoPose`; with `null`, searches for pins no longer find it. A tag that other points within 100 m carry returns 409 with code `april_tag_conflict`, listed as on creation, even if the point is only moved. With `If-Match`, of several writers that have read the same state exactly one succeeds; the others get 412.',
          params,
          headers: ChangeConditions,
          body: GcpChange,
          response: {
            200: z.object({ message: z.string(), gcp: Gcp }),
            403: ErrorBody,
            404: ErrorBody,
            409: ErrorBody,
            412: ErrorBody,
          },
        },
      },
      async (request, reply) => {
        const holds = service.holds(conditionsOf(request))
        const { gcp, tag } = await service.update(guards.writerOf(request), request.params.id, request.body, holds)
        return reply.header('etag', quoteTag(tag)).send({ message: 'Changed', gcp })
      },
    )

    app.delete(
      '/gcp/:id',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          operationId: 'deleteGcp',
          summary: 'Delete a ground control point and its pin',
          description:
            'Available to its creator, the owner and editors of its zone, and ops. Photos uploaded for the point are deleted too, unless another record of their uploader or of ops uses them.',
          params,
          headers: ChangeConditions,
          response: { 204: z.null().describe('Deleted'), 403: ErrorBody, 404: ErrorBody, 412: ErrorBody },
        },
      },
      async (request, reply) => {
        const holds = service.holds(conditionsOf(request))
        await service.remove(guards.userOf(request), request.params.id, holds)
        return reply.code(204).send(null)
      },
    )

    app.delete(
      '/gcp/:id/remove-photo',
      {
        onRequest: guards.writer,
        schema: {
          tags,
          security: writes,
          operationId: 'removeGcpPhoto',
          summary: 'Remove a photo from a ground control point',
          description:
            'A photo that was uploaded as such is deleted, unless another record of its uploader or of ops uses it.',
          params,
          querystring: z.object({ photoUrl: givenAddress.describe('The URL of the photo, as in `photoUrls`') }),
          response: { 200: z.null().describe('Removed; the body is empty'), 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.removePhoto(guards.writerOf(request), request.params.id, request.query.photoUrl)
        return reply.code(200).send('' as never)
      },
    )
  }
