import { z } from 'zod'
import { httpAddress, moment, queryInteger, queryNumber } from '../../platform/schema.ts'
import { UploadedFile } from '../photos/schema.ts'
import { Pin } from '../pins/schema.ts'
import { GeoPose, recordId, title } from '../places/schema.ts'

const GcpType = z.enum(['SINGLE', 'MULTI'])
const aprilTagId = z.int().min(0).max(50).describe('Of the family tag36h11')

export const Gcp = z
  .object({
    id: recordId,
    title: z.string(),
    description: z.string().nullable(),
    gcpType: GcpType,
    altitude: z.number().nullable(),
    aprilTagId: aprilTagId.nullable(),
    gcpData: z.string().nullable(),
    photoUrls: z.array(z.string()),
    zoneId: z.int().nullable(),
    pin: Pin.nullable(),
    zone: z.object({ id: z.int(), title: z.string() }).nullable(),
    uploadedFiles: z.array(UploadedFile).describe('The records of those in photoUrls that were uploaded here'),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Gcp' })
export type Gcp = z.infer<typeof Gcp>

const uploadedFileIds = z
  .array(recordId)
  .max(100)
  .describe('Images that were uploaded before, by the same user or without a session: shown after photoUrls')

export const NewGcp = z
  .object({
    title,
    description: z.string().max(2000).nullish(),
    gcpType: GcpType,
    geoPose: GeoPose.nullish(),
    altitude: z.number().nullish().describe('Absent: the height of geoPose'),
    aprilTagId: aprilTagId.nullish(),
    gcpData: z.string().max(65_536).nullish(),
    photoUrls: z.array(httpAddress).max(3).default([]),
    uploadedFileIds: uploadedFileIds.default([]),
    zoneId: recordId.nullish(),
  })
  .meta({ id: 'NewGcp' })
export type NewGcp = z.infer<typeof NewGcp>

/** Absent: unchanged; null: cleared. */
export const GcpChange = z
  .object({
    title,
    description: z.string().max(2000).nullish(),
    geoPose: GeoPose.nullish().describe('Moves the pin'),
    altitude: z.number().nullish(),
    aprilTagId: aprilTagId.nullish(),
    photoUrls: z.array(httpAddress).max(100).optional().describe('Replaces the list'),
    uploadedFileIds: uploadedFileIds.optional(),
  })
  .meta({ id: 'GcpChange' })
export type GcpChange = z.infer<typeof GcpChange>

export const GcpListQuery = z.object({
  zoneId: queryInteger.pipe(recordId).optional(),
  limit: queryInteger.pipe(z.int().min(1).max(10_000)).default(10_000),
  cursor: z
    .string()
    .regex(/^\d{1,17}\.\d{1,16}$/, 'must be the cursor of a Link header')
    .optional(),
})

export const TagConflict = z
  .object({
    gcpId: z.int(),
    title: z.string(),
    aprilTagId,
    zoneId: z.int().nullable(),
    zoneTitle: z.string().nullable(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    distance: z.number().nullable().describe('Metres; null without a point to measure from'),
  })
  .meta({ id: 'AprilTagConflict' })
export type TagConflict = z.infer<typeof TagConflict>

export const TagQuery = z
  .object({
    aprilTagId: queryInteger.pipe(aprilTagId),
    latitude: queryNumber.pipe(z.number().min(-90).max(90)).optional(),
    longitude: queryNumber.pipe(z.number().min(-180).max(180)).optional(),
    excludeGcpId: queryInteger.pipe(recordId).optional(),
  })
  .superRefine(({ latitude, longitude }, context) => {
    if ((latitude === undefined) === (longitude === undefined)) return
    const path = [latitude === undefined ? 'latitude' : 'longitude']
    context.addIssue({ code: 'custom', message: 'latitude and longitude go together', path })
  })
export type TagQuery = z.infer<typeof TagQuery>

export const TagAnswer = z
  .object({
    available: z.boolean(),
    conflicts: z.array(TagConflict),
    suggestedIds: z.array(z.int()).describe('Tags that are free here, up to five'),
  })
  .meta({ id: 'AprilTagAnswer' })
export type TagAnswer = z.infer<typeof TagAnswer>
