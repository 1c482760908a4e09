import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { sendRows } from '../../platform/http/answers/streamed-rows.ts'
import { needs } from '../../platform/http/docs/openapi.ts'
import { pageRows } from '../../platform/http/pages.ts'
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
import type { GcpService } from './service.ts'
import type { ConflictService } from './tags/conflict-service.ts'
import type { TagService } from './tags/tag-service.ts'

const tags = ['Ground control points']
const params = z.object({ id: pathInteger })
type Parts = {
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
  ({ service, lists, aprilTags, conflicts, guards }: Parts): FastifyPluginAsyncZod =>
  async (app) => {
    const writes = guards.openWrites ? needs.optionalUser : needs.user

    app.get(
      '/gcp',
      {
        onRequest: guards.optionalUser,
        schema: {
          tags,
          security: needs.optionalUser,
          summary: 'Ground control points, oldest first',
          description:
            'All of them or a zone’s; of an unknown zone none. With `outsideZone`, those of a zone that lie outside its boundary, or inside. Up to 10,000: the next page is in the header Link, the whole number in x-total-count.',
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
          summary: 'Create a ground control point and its pin',
          description:
            'The pin lies at geoPose.position; without a geoPose it has no coordinates. Of altitude and the height of geoPose, one given sets both. A tag that another point within 100 m carries answers 400 with code `april_tag_conflict`, once for each of them.',
          body: NewGcp,
          response: { 201: z.object({ gcp: Gcp, pin: Pin }) },
        },
      },
      async (request, reply) => {
        const gcp = await service.create(guards.writerOf(request), request.body)
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
          summary: 'Whether an April tag is free at a point',
          description:
            'Without a point, any bearer of the tag is a conflict. With `excludeGcpId`, points without a place in the zone of that GCP count too, as they do when it is changed.',
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
          summary: 'Pairs of ground control points that carry the same April tag too close to each other',
          description:
            'Writing refuses them; they come of older data and changed settings (CAIRN_APRIL_TAG_METRES). The nearest pair first; of more than a thousand pairs some thousand are told. Points without a place are in none.',
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
          summary: 'One ground control point',
          description: 'With its pin, its zone and the records of its uploaded photos.',
          params,
          querystring: PoseQuery,
          response: { 200: Gcp, 404: ErrorBody },
        },
      },
      async (request) => service.get(request.params.id, request.query.pose),
    )

    app.put(
      '/gcp/:id',
      {
        bodyLimit: CHANGE_BYTES,
        onRequest: guards.writer,
        schema: {
          tags,
          security: writes,
          summary: 'Change a ground control point',
          description:
            'Absent members stay, null clears. The pin moves with geoPose; with null it is in no location result. A tag that another point within 100 m carries answers 409 with code `april_tag_conflict`, for a point that only moves too.',
          params,
          body: GcpChange,
          response: {
            200: z.object({ message: z.string(), gcp: Gcp }),
            403: ErrorBody,
            404: ErrorBody,
            409: ErrorBody,
          },
        },
      },
      async (request) => {
        const gcp = await service.update(guards.writerOf(request), request.params.id, request.body)
        return { message: 'Changed', gcp }
      },
    )

    app.delete(
      '/gcp/:id',
      {
        onRequest: guards.user,
        schema: {
          tags,
          security: needs.user,
          summary: 'Remove a ground control point and its pin',
          description:
            'By its maker, the owner of its zone or ops. Photos that were uploaded for it, and that nothing else shows, are gone with it.',
          params,
          response: { 204: z.null().describe('Removed'), 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.remove(guards.userOf(request), request.params.id)
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
          summary: 'Take a photo off a ground control point',
          description: 'One that was uploaded as a photo, and that nothing else shows, is gone with it.',
          params,
          querystring: z.object({ photoUrl: givenAddress.describe('As photoUrls has it') }),
          response: { 200: z.null().describe('Removed; the body is empty'), 403: ErrorBody, 404: ErrorBody },
        },
      },
      async (request, reply) => {
        await service.removePhoto(guards.writerOf(request), request.params.id, request.query.photoUrl)
        return reply.code(200).send('' as never)
      },
    )
  }
