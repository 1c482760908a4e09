import type { Gcp, GeoPose, Pin, Scan, Zone } from '@cairn/sdk'
import type { ReactNode } from 'react'
import { CopyableId } from '../../../components/copy/copy-button.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import { formatCoordinates, formatMetres, formatNumber } from '../../../components/data/format.ts'
import { messages } from '../../../messages/index.ts'
import classes from '../map.module.css'
import { headingOfYaw, windOf } from './heading.ts'

const texts = messages.map.facts

const place = (lat: number | null | undefined, lon: number | null | undefined) =>
  lat != null && lon != null ? <CopyableId value={formatCoordinates(lat, lon)} what={texts.place} /> : texts.noPlace

const degrees = (pose: GeoPose | null | undefined) =>
  pose ? texts.angles(pose.angles.yaw, pose.angles.pitch, pose.angles.roll) : undefined

/** Where it looks, from north and in words: a yaw says neither. */
function facing(pose: GeoPose | null | undefined): string | undefined {
  if (!pose) return undefined
  const heading = headingOfYaw(pose.angles.yaw)
  return texts.facing(formatNumber(Math.round(heading * 10) / 10), texts.winds[windOf(heading)]!)
}

/** Control points always have a pose. Only a rotated one has a direction. */
const isRotated = (pose: GeoPose | null | undefined): boolean =>
  pose != null && Object.values(pose.angles).some((angle) => angle !== 0)

type Fact = { label: string; value: ReactNode }

/** What each field of a pin adds to its facts; null: nothing. A field that is missing here does not compile. */
const ofPin: { [Name in keyof Required<Pin>]: ((pin: Pin) => Fact[]) | null } = {
  contentType: ({ contentType }) => [
    { label: texts.content, value: messages.map.contents[contentType] ?? contentType },
  ],
  latitude: ({ latitude, longitude }) => [{ label: texts.place, value: place(latitude, longitude) }],
  geoPose: ({ geoPose }) => [
    { label: texts.height, value: geoPose ? formatMetres(geoPose.position.h) : undefined },
    { label: texts.direction, value: facing(geoPose) },
    { label: texts.heading, value: degrees(geoPose) },
  ],
  contentUrl: ({ contentUrl }) => [
    {
      label: texts.address,
      value: contentUrl ? (
        <a href={contentUrl} target="_blank" rel="noreferrer" className={classes.address}>
          {contentUrl}
        </a>
      ) : undefined,
    },
  ],
  zoneId: ({ zoneId }) => [{ label: texts.zone, value: zoneId ?? undefined }],
  visibility: ({ visibility }) => [{ label: texts.visibility, value: messages.map.visibilities[visibility] }],
  relocalizationTags: ({ relocalizationTags: ids }) => [
    { label: texts.photoTags, value: ids === null ? undefined : ids.length === 0 ? texts.noTag : ids.join(', ') },
  ],
  id: ({ id }) => [{ label: texts.id, value: <CopyableId value={id} /> }],
  title: null,
  longitude: null,
  localizationData: null,
  gcpId: null,
  userId: null,
  relocalizationPhotoUrl: null,
  scanInstructions: null,
  cameraPoseHint: null,
  blockchainSignature: null,
  blockchainTxUrl: null,
  blockchainSyncedAt: null,
  createdAt: null,
  updatedAt: null,
  pose: null,
}

export function PinFacts({ pin }: { pin: Pin }) {
  const facts = Object.values(ofPin).flatMap((of) => of?.(pin) ?? [])
  return <Facts facts={Object.fromEntries(facts.map(({ label, value }) => [label, value]))} />
}

/** Whether the height was entered without a known datum and is not an ellipsoidal height. */
const isGiven = ({ heightDatum, heightTransformation, pin, altitude }: Gcp): boolean =>
  heightTransformation === null &&
  (heightDatum === 'orthometric' || heightDatum === 'unknown') &&
  pin?.geoPose?.position.h === altitude

function heightOf({ pin, altitude, heightDatum, heightTransformation: way }: Gcp): string | undefined {
  if (!pin?.geoPose) return altitude === null ? undefined : texts.noHeight(heightDatum)
  const height = formatMetres(pin.geoPose.position.h)
  return way?.accuracy == null ? height : texts.by(height, formatMetres(way.accuracy))
}

/** Whether the measured height says more than the ellipsoidal one. */
const isOther = ({ altitude, heightDatum, pin }: Gcp): boolean =>
  altitude !== pin?.geoPose?.position.h || (heightDatum !== null && heightDatum !== 'ellipsoid')

export function GcpFacts({ gcp }: { gcp: Gcp }) {
  const { id, description, gcpType, altitude, heightDatum, aprilTagId, tagSize, tagPose, pin, zone, outsideZone } = gcp
  return (
    <Facts
      facts={{
        [texts.tag]: aprilTagId ?? texts.noTag,
        [texts.tagSize]: tagSize === null ? undefined : texts.millimetres(tagSize * 1000),
        [texts.tagPose]: tagPose ? texts.placed(tagPose) : undefined,
        [texts.type]: texts.types[gcpType],
        [texts.place]: place(pin?.latitude, pin?.longitude),
        [isGiven(gcp) ? texts.measured : texts.height]: heightOf(gcp),
        [texts.altitude(heightDatum)]: altitude === null || !isOther(gcp) ? undefined : formatMetres(altitude),
        [texts.direction]: isRotated(pin?.geoPose) ? facing(pin?.geoPose) : undefined,
        [texts.heading]: degrees(pin?.geoPose),
        [texts.zone]: zone ? (outsideZone ? texts.outside(zone.title) : zone.title) : undefined,
        [texts.description]: description ?? undefined,
        [texts.id]: <CopyableId value={id} />,
      }}
    />
  )
}

export function ZoneFacts({ zone }: { zone: Zone }) {
  const { id, description, boundary } = zone
  return (
    <Facts
      facts={{
        [texts.boundary]: boundary ? sizeOf(boundary) : texts.noBoundary,
        [texts.description]: description ?? undefined,
        [texts.id]: <CopyableId value={id} />,
      }}
    />
  )
}

export function ScanFacts({ scan }: { scan: Scan }) {
  return (
    <Facts
      facts={{
        [texts.type]: scan.fileType ?? undefined,
        [texts.place]: place(scan.lat, scan.long),
        [texts.near]: scan.location ?? undefined,
        [texts.visibility]: messages.map.visibilities[scan.visibility],
      }}
    />
  )
}

function sizeOf({ type, coordinates }: NonNullable<Zone['boundary']>): string {
  const areas = type === 'Polygon' ? [coordinates] : coordinates
  const rings = areas.flat()
  const corners = rings.reduce((sum, ring) => sum + ring.length - 1, 0)
  return texts.size(areas.length, rings.length - areas.length, formatNumber(corners))
}
