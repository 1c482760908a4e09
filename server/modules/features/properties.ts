import { ContentType } from '../pins/schema.ts'

/** A property of a feature in the words of JSON Schema. A value may always be null. */
export type Property = {
  type: 'string' | 'integer' | 'number' | 'array'
  title: string
  description?: string
  format?: 'date-time'
  enum?: string[]
  items?: { type: 'string' }
  minimum?: number
  maximum?: number
  'x-ogc-role'?: 'primary-instant'
  'x-ogc-unit'?: string
}

const text = (title: string, description?: string): Property => ({
  type: 'string',
  title,
  ...(description && { description }),
})
const id = (title: string): Property => ({ type: 'integer', title, minimum: 1 })
const metres = (title: string, description: string): Property => ({
  type: 'number',
  title,
  description,
  'x-ogc-unit': 'm',
})
const degrees = (title: string, description: string): Property => ({
  type: 'number',
  title,
  description,
  'x-ogc-unit': 'deg',
})

const angles = {
  yaw: degrees('Yaw', 'From east, counter-clockwise (OGC GeoPose Basic-YPR)'),
  pitch: degrees('Pitch', 'OGC GeoPose Basic-YPR'),
  roll: degrees('Roll', 'OGC GeoPose Basic-YPR'),
}
const moments = {
  createdAt: { type: 'string', format: 'date-time', title: 'Created', 'x-ogc-role': 'primary-instant' },
  updatedAt: { type: 'string', format: 'date-time', title: 'Updated' },
} satisfies Record<string, Property>

/** The properties that the features of each collection have, in the order in which they have them. */
export const properties = {
  pins: {
    title: text('Title'),
    contentType: { type: 'string', title: 'Content type', enum: ContentType.options },
    contentUrl: text('Content URL'),
    trackingMode: text('Tracking mode'),
    worldmapURL: text('World map URL'),
    ...angles,
    zoneId: id('Zone'),
    gcpId: id('Ground control point'),
    userId: text('User'),
    relocalizationPhotoUrl: text('Relocalization photo URL'),
    scanInstructions: text('Scan instructions'),
    ...moments,
  },
  gcps: {
    title: text('Title'),
    description: text('Description'),
    gcpType: { type: 'string', title: 'Type', enum: ['SINGLE', 'MULTI'] },
    aprilTagId: {
      type: 'integer',
      title: 'AprilTag',
      description: 'An ID of the family tag36h11',
      minimum: 0,
      maximum: 50,
    },
    altitude: metres('Altitude', 'The measured height, above what heightDatum names'),
    accuracyH: metres('Horizontal accuracy', 'As stated by the survey'),
    accuracyV: metres('Vertical accuracy', 'As stated by the survey'),
    heightDatum: text('Height datum', 'What the altitude is above'),
    heightAccuracy: metres('Height accuracy', 'Accuracy of the geoid model used to reach the ellipsoid'),
    ...angles,
    photoUrls: { type: 'array', items: { type: 'string' }, title: 'Photo URLs' },
    zoneId: id('Zone'),
    zoneTitle: text('Zone title'),
    userId: text('User'),
    ...moments,
  },
  zones: {
    title: text('Title'),
    description: text('Description'),
    userId: text('User'),
    ...moments,
  },
} satisfies Record<'pins' | 'gcps' | 'zones', Record<string, Property>>
