import type { Localization } from '@cairn/sdk'
import { SegmentedControl } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Facts } from '../../components/data/facts.tsx'
import { formatMetres } from '../../components/data/format.ts'
import { Table } from '../../components/data/table.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { messages } from '../../messages/index.ts'
import { useCairn } from '../../session/session.tsx'
import { formatPlace } from '../map/editor/coordinates.ts'
import { PoseMap } from './pose-map.tsx'
import { accuracyOf, headingOf, type Pose } from './pose-shapes.ts'

const texts = messages.locate.result

/** What the service found: the poses on a map and in numbers, and the tags; or how to find one. */
export function PoseResult({ result, focalLength35 }: { result: Localization; focalLength35: number }) {
  const cairn = useCairn()
  const [chosen, setChosen] = useState(0)
  const poses = useMemo((): Pose[] => {
    const { geoPose, covariance, tags, candidates } = result
    return geoPose && covariance ? [{ geoPose, covariance, tags }, ...candidates] : []
  }, [result])
  const pose = poses[chosen]
  const tags = pose?.tags ?? result.tags
  const ids = [...new Set(poses.flatMap((one) => one.tags.flatMap(({ gcpId }) => gcpId ?? [])))]
  const gcps = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['locate', 'gcp', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => cairn.gcps.get(id, {}, { signal }),
    })),
    combine: (all) => all.flatMap(({ data }) => data ?? []),
  })
  return (
    <div className="stack">
      <Notice tone={result.state === 'found' ? 'ok' : 'warn'} title={texts.states[result.state]}>
        {result.reason && `${result.reason}.`}
      </Notice>
      {poses.length > 1 && (
        <SegmentedControl
          aria-label={texts.pose}
          value={String(chosen)}
          onChange={(value) => setChosen(Number(value))}
          data={poses.map((_, at) => ({ value: String(at), label: at === 0 ? texts.best : texts.other(at) }))}
        />
      )}
      {pose && <PoseFacts pose={pose} />}
      {pose && <PoseMap poses={poses} chosen={chosen} gcps={gcps} focalLength35={focalLength35} />}
      {tags.length > 0 && (
        <TagTable tags={tags} titleOf={(id) => gcps.find((gcp) => gcp.id === id)?.title ?? String(id)} />
      )}
    </div>
  )
}

function PoseFacts({ pose }: { pose: Pose }) {
  const heading = headingOf(pose.geoPose)
  return (
    <Facts
      facts={{
        [texts.position]: <span className="mono">{formatPlace(pose.geoPose.position)}</span>,
        [texts.height]: formatMetres(pose.geoPose.position.h),
        [texts.accuracy]: formatMetres(accuracyOf(pose)),
        [texts.heading]: heading === null ? texts.steep : texts.degrees(heading),
      }}
    />
  )
}

type TagTableProps = { tags: Localization['tags']; titleOf: (gcpId: number) => string }

const TagTable = ({ tags, titleOf }: TagTableProps) => (
  <Table label={texts.tags}>
    <thead>
      <tr>
        <th>{texts.tag}</th>
        <th>{texts.point}</th>
        <th className="num">{texts.error}</th>
      </tr>
    </thead>
    <tbody>
      {tags.map(({ aprilTagId, gcpId, reprojectionError }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an image may show a tag twice
        <tr key={at}>
          <td>{aprilTagId}</td>
          <td>
            {gcpId === null ? (
              texts.unused
            ) : (
              <Link to="/map" search={{ select: `gcp:${gcpId}` }}>
                {titleOf(gcpId)}
              </Link>
            )}
          </td>
          <td className="num">{reprojectionError === null ? '–' : texts.pixels(reprojectionError)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
)
