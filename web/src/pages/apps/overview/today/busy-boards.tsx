import type { AppActivity } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { BarChart } from '../../../../components/data/bar-chart.tsx'
import { formatNumber } from '../../../../components/data/format.ts'
import { Table } from '../../../../components/data/table.tsx'
import { EmptyState } from '../../../../components/feedback/empty-state.tsx'
import { currentLocale } from '../../../../language/language.ts'
import { messages } from '../../../../messages/index.ts'
import classes from './today.module.css'

const texts = messages.app.today
const HOUR_MS = 3_600_000
type Board = AppActivity['boards'][number]

/** The leaderboards with most scores of the last 24 hours, with a chart by hour. */
export function BusyBoards({ appId, boards, at }: { appId: string; boards: Board[]; at: string }) {
  const navigate = useNavigate()
  return (
    <div className={classes.part}>
      <h3>
        {texts.boards} <span>{texts.boardsText}</span>
      </h3>
      {boards.length === 0 ? (
        <EmptyState
          title={texts.noBoards}
          action={
            <Button onClick={() => void navigate({ to: '/apps/$appId/sessions', params: { appId } })}>
              {texts.openSessions}
            </Button>
          }
        >
          {texts.noBoardsText}
        </EmptyState>
      ) : (
        <Table label={texts.boards}>
          <thead>
            <tr>
              <th>{texts.board}</th>
              <th className={classes.hours}>{texts.byHour}</th>
              <th className="num">{texts.written}</th>
            </tr>
          </thead>
          <tbody>
            {boards.map((board, n) => (
              <tr key={board.miniGameTypeId ?? 'default'}>
                <td>
                  <Link
                    to="/apps/$appId/boards/$type"
                    params={{ appId, type: board.miniGameTypeId ?? 'default' }}
                    className="strong"
                  >
                    {nameOf(board)}
                  </Link>
                </td>
                <td>
                  <Hours board={board} at={at} isLast={n === boards.length - 1} />
                </td>
                <td className="num strong">{formatNumber(board.writes)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </div>
  )
}

const nameOf = ({ miniGameTypeId, miniGameTypeName }: Board) =>
  miniGameTypeId === null ? messages.common.defaultGame : (miniGameTypeName ?? messages.common.defaultGame)

function Hours({ board, at, isLast }: { board: Board; at: string; isLast: boolean }) {
  const now = Date.parse(at)
  const hourOf = (n: number) =>
    new Date(now - (now % HOUR_MS) - (23 - n) * HOUR_MS).toLocaleTimeString(currentLocale(), {
      hour: '2-digit',
      minute: '2-digit',
    })
  const most = board.hours.indexOf(Math.max(...board.hours))
  return (
    <BarChart
      height={32}
      summary={texts.hoursSummary(
        nameOf(board),
        formatNumber(board.writes),
        formatNumber(board.hours[most]!),
        hourOf(most),
      )}
      series={[{ name: texts.written, colour: 'var(--chart)' }]}
      bars={board.hours.map((writes, n) => ({ label: hourOf(n), parts: [writes] }))}
      ticks={
        isLast
          ? [
              { at: 0, name: texts.ago },
              { at: 23, name: texts.now },
            ]
          : []
      }
    />
  )
}
