import { z } from 'zod'
import { timestamp } from '../../../platform/schema.ts'

/** Bound of a zone; docs/limits.md states it. */
export const MAX_EDITORS = 100

export const ZoneEditor = z
  .object({ userId: z.uuid(), createdAt: timestamp.describe('When the user became an editor') })
  .meta({ id: 'ZoneEditor' })
export type ZoneEditor = z.infer<typeof ZoneEditor>

export const ZoneEditorList = z.object({ editors: z.array(ZoneEditor) }).meta({ id: 'ZoneEditorList' })

export const NewZoneEditor = z.object({ userId: z.uuid() }).meta({ id: 'NewZoneEditor' })
