import { writtenAddresses } from '../../surveys/parser/rows/cairn-export.ts'
import type { PlacedGcp } from '../schema.ts'

export type FieldType = 'String' | 'Integer' | 'Integer64' | 'Real' | 'DateTime'
export type FieldValue = string | number | null
/** A field of a layer, with its OGR type. */
export type Field = { name: string; type: FieldType; value: (gcp: PlacedGcp) => FieldValue }

/** The attributes of a point in a layer. */
export const fields: readonly Field[] = [
  { name: 'id', type: 'Integer64', value: ({ id }) => id },
  { name: 'title', type: 'String', value: ({ title }) => title },
  { name: 'description', type: 'String', value: ({ description }) => description },
  { name: 'gcpType', type: 'String', value: ({ gcpType }) => gcpType },
  { name: 'aprilTagId', type: 'Integer', value: ({ aprilTagId }) => aprilTagId },
  { name: 'gcpData', type: 'String', value: ({ gcpData }) => gcpData },
  { name: 'photoUrls', type: 'String', value: ({ photoUrls }) => writtenAddresses(photoUrls) },
  { name: 'h', type: 'Real', value: ({ h }) => h },
  { name: 'altitude', type: 'Real', value: ({ altitude }) => altitude },
  { name: 'heightDatum', type: 'String', value: ({ heightDatum }) => heightDatum },
  { name: 'heightOperation', type: 'String', value: ({ heightOperation }) => heightOperation },
  { name: 'heightAccuracy', type: 'Real', value: ({ heightAccuracy }) => heightAccuracy },
  { name: 'accuracyH', type: 'Real', value: ({ accuracyH }) => accuracyH },
  { name: 'accuracyV', type: 'Real', value: ({ accuracyV }) => accuracyV },
  { name: 'yaw', type: 'Real', value: ({ yaw }) => yaw },
  { name: 'pitch', type: 'Real', value: ({ pitch }) => pitch },
  { name: 'roll', type: 'Real', value: ({ roll }) => roll },
  { name: 'createdAt', type: 'DateTime', value: ({ createdAt }) => createdAt },
  { name: 'updatedAt', type: 'DateTime', value: ({ updatedAt }) => updatedAt },
]
