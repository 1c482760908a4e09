import type { App, Cairn, Review } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatNumber } from '../../../components/data/format.ts'
import { RelativeTime } from '../../../components/data/relative-time.tsx'
import { Table } from '../../../components/data/table.tsx'
import { notifyError, notifySuccess } from '../../../components/feedback/notify.ts'
import { messages } from '../../../messages/index.ts'
import { hasRole } from '../../../session/use-app.tsx'

const texts = messages.game.reviews
type Props = { app: App; cairn: Cairn; onDecided: () => Promise<unknown> }

/** Held scores and check-ins with what speaks against them, and the decision. */
export const ReviewTable = ({ reviews, ...rest }: Props & { reviews: Review[] }) => (
  <Table label={texts.list}>
    <thead>
      <tr>
        {/* The reason may be below the name. */}
        <th style={{ minWidth: '7rem' }}>{texts.player}</th>
        <th className="num" style={{ whiteSpace: 'normal' }}>
          {texts.score}
        </th>
        <th className="num wide-only">{texts.current}</th>
        <th className="roomy-only">{texts.why}</th>
        <th className="roomy-only">{texts.session}</th>
        <th className="wide-only">{texts.sent}</th>
        <th>
          <span className="visually-hidden">{texts.decision}</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {reviews.map((review) => (
        <Row key={review.id} review={review} {...rest} />
      ))}
    </tbody>
  </Table>
)

/** The name of a session. Rows of one session share the request. */
function SessionName({ cairn, id }: { cairn: Cairn; id: string }) {
  const { data } = useQuery({
    queryKey: ['session', id],
    queryFn: ({ signal }) => cairn.gameSessions.get(id, { signal }),
    staleTime: 60_000,
  })
  return <>{data?.name ?? messages.game.sessions.unnamed}</>
}

/** The session of a score, or the fence of a check-in. */
function Place({ appId, cairn, review }: { appId: string; cairn: Cairn; review: Review }) {
  const { kind, gameSessionId: sessionId, fenceName } = review
  if (kind === 'score' && sessionId)
    return (
      <Link to="/apps/$appId/sessions/$sessionId" params={{ appId, sessionId }}>
        <SessionName cairn={cairn} id={sessionId} />
      </Link>
    )
  return (
    <Link to="/apps/$appId/fences" params={{ appId }}>
      {fenceName}
    </Link>
  )
}

function Row({ app, cairn, review, onDecided }: Props & { review: Review }) {
  const { displayName: name, playerId, kind, score, currentScore, points, reasons, state } = review
  const own = texts.of[kind]
  const value = score ?? points
  const decision = useMutation({
    mutationFn: (decision: 'accept' | 'reject') => cairn.reviews.decide(review.id, { decision }),
    onSuccess: async (_, decided) => {
      notifySuccess(decided === 'accept' ? own.accepted(name) : own.rejected(name))
      await onDecided()
    },
    onError: (error) => notifyError(error),
  })
  const why = reasons.map((reason) => texts.reasons[reason]).join('; ')
  const appId = app.id
  return (
    <tr>
      <td>
        <Link data-row to="/apps/$appId/players/$playerId" params={{ appId, playerId }}>
          {name}
        </Link>
        <div className="tight-only small dim">{why}</div>
        <div className="tight-only small">
          <Place appId={appId} cairn={cairn} review={review} />
        </div>
      </td>
      <td className="num strong">{value === null ? '–' : formatNumber(value)}</td>
      <td className="num wide-only dim">{currentScore === null ? '–' : formatNumber(currentScore)}</td>
      <td className="roomy-only">{why}</td>
      <td className="roomy-only">
        <Place appId={appId} cairn={cairn} review={review} />
      </td>
      <td className="wide-only dim">
        <RelativeTime at={review.createdAt} />
      </td>
      <td>
        {hasRole(app, 'moderator') && (
          <span className="row wrap" style={{ justifyContent: 'flex-end' }}>
            {state !== 'accepted' && (
              <Button
                size="xs"
                leftSection={<IconCheck size={14} aria-hidden />}
                aria-label={own.accept(name)}
                disabled={decision.isPending}
                onClick={() => decision.mutate('accept')}
              >
                {texts.accept}
              </Button>
            )}
            {state !== 'rejected' && (
              <Button
                size="xs"
                leftSection={<IconX size={14} aria-hidden />}
                aria-label={own.reject(name)}
                disabled={decision.isPending}
                onClick={() => decision.mutate('reject')}
              >
                {texts.reject}
              </Button>
            )}
          </span>
        )}
      </td>
    </tr>
  )
}
