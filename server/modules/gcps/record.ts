import { z } from 'zod'
import { type LayerFields, optional, readOnly } from '../../platform/records/fields.ts'
import { fileAddress, timestamp } from '../../platform/schema.ts'
import { HeightTransformation, recordId, Transformation, title } from '../places/schema.ts'
import { aprilTagId, MAX_TAG, NewTagPose, TAG_SIZE, TagPose, tagSize } from './tags/schema.ts'

const GcpType = z.enum(['SINGLE', 'MULTI'])
/** Every stored field of a ground control point, in the order of the response. What is in `survey` is written by the store. */
export const gcpFields = {
  id: { schema: recordId, ...readOnly, ogc: { title: 'ID', minimum: 1, 'x-ogc-role': 'id' } },
  title: { schema: z.string(), create: title, change: title, ogc: { title: 'Title' } },
  description: {
    schema: z.string().nullable(),
    ...optional(z.string().max(2000)),
    ogc: { title: 'Description' },
  },
  gcpType: { schema: GcpType, create: GcpType, change: null, ogc: { title: 'Type' } },
  altitude: {
    schema: z
      .number()
      .nullable()
      .describe(
        'The measured height in metres above what `heightDatum` names; the pose has the height above the ellipsoid',
      ),
    create: z.number().nullish().describe('Default: the height of `geoPose`'),
    change: z.number().nullish(),
    ogc: {
      title: 'Altitude',
      description: 'The measured height, above what heightDatum names',
      'x-ogc-unit': 'm',
    },
  },
  heightDatum: {
    schema: z
      .string()
      .nullable()
      .describe(
        'What the measured height is above: `ellipsoid`, a geoid (EGM96), a vertical system (EPSG:7837), `orthometric` (the sea, by an unnamed datum) or `unknown`; `null` if not stated',
      ),
    ...describedBoth(
      z.string().min(1).max(255),
      'What `altitude` is above: `ellipsoid`, `unknown`, `orthometric`, a geoid (EGM96), or a vertical system by code or name (EPSG:7837, DHHN2016 height). A geoid or a vertical system sets the height of the pose if `geoPose` has none. `altitude` is always in metres',
    ),
    sql: `survey ->> 'verticalDatum'`,
    ogc: { title: 'Height datum', description: 'What the altitude is above' },
  },
  heightTransformation: {
    schema: HeightTransformation.nullable().describe(
      'How `altitude` became the height of the pose; `null` for heights used as given',
    ),
    ...readOnly,
    sql: `survey -> 'heightTransformation'`,
    ogc: null,
  },
  transformation: {
    schema: Transformation.nullable().describe(
      'How the location was transformed from the reference system of a survey file to WGS84; `null` if it was given in WGS84',
    ),
    ...readOnly,
    sql: `survey -> 'transformation'`,
    ogc: null,
  },
  aprilTagId: {
    schema: aprilTagId.nullable(),
    ...optional(aprilTagId),
    ogc: { title: 'AprilTag', description: 'An ID of the family tag36h11', minimum: 0, maximum: MAX_TAG },
  },
  tagSize: { schema: tagSize.nullable().describe(TAG_SIZE), ...describedBoth(tagSize, TAG_SIZE), ogc: null },
  tagPose: { schema: TagPose.nullable(), ...optional(NewTagPose), ogc: null },
  gcpData: { schema: z.string().nullable(), create: z.string().max(65_536).nullish(), change: null, ogc: null },
  photoUrls: {
    schema: z.array(z.string()),
    create: z.array(fileAddress).max(3).default([]),
    change: z.array(fileAddress).max(100).optional().describe('Replaces the list'),
    ogc: { title: 'Photo URLs' },
  },
  zoneId: {
    schema: z.int().nullable(),
    create: recordId.nullish(),
    change: null,
    ogc: { title: 'Zone', minimum: 1, 'x-ogc-role': 'reference', 'x-ogc-collectionId': 'zones' },
  },
  createdAt: { schema: timestamp, ...readOnly, ogc: { title: 'Created', 'x-ogc-role': 'primary-instant' } },
  updatedAt: { schema: timestamp, ...readOnly, ogc: { title: 'Updated' } },
} as const satisfies LayerFields

function describedBoth<Schema extends z.ZodType>(schema: Schema, description: string) {
  const described = schema.nullish().describe(description)
  return { create: described, change: described }
}
