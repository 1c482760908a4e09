import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Guards } from '../../platform/credentials/guards.ts'
import { createPhotoReader } from './process/photo-reader.ts'
import { sheetRoutes } from './sheet/routes.ts'

export type Tags = ReturnType<typeof createTags>

/** AprilTags: in photos, and to print. */
export function createTags() {
  const reader = createPhotoReader()
  return {
    /** What a photo shows, read in a process of its own. */
    read: reader.read,
    /** Ends the worker processes, after the jobs have ended. */
    close: reader.close,
    routes:
      (guards: Guards): FastifyPluginAsyncZod =>
      async (app) => {
        await app.register(sheetRoutes(guards), { prefix: '/api' })
      },
  }
}
