import type { BoxHealth } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../components/data/badge.tsx'
import { formatBytes, formatNumber } from '../../../components/data/format.ts'
import { Table } from '../../../components/data/table.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { serverText } from '../../../components/feedback/server-text.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { StepPage } from '../step-page.tsx'
import { BasemapQuestion } from './basemap-question.tsx'

const texts = messages.welcome.box
const TONES = { ok: 'ok', failed: 'err', off: 'plain' } as const

/** The health of the components, refetched while one of them fails, and what maps draw. */
export function HealthStep({ onNext }: { onNext: () => void }) {
  const cairn = useCairn()
  const health = useQuery({
    queryKey: ['box', 'health', 'guide'],
    queryFn: ({ signal }) => cairn.box.health({ signal }),
    refetchInterval: ({ state }) => (state.data && isWell(state.data) ? false : 5000),
  })
  return (
    <StepPage
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button
          variant="filled"
          rightSection={<IconArrowRight size={14} aria-hidden />}
          onClick={() => onNext()}
          data-autofocus
        >
          {messages.welcome.continue}
        </Button>
      }
    >
      <div className="stack">
        <QueryResult query={health}>{(found) => <Found health={found} />}</QueryResult>
        <BasemapQuestion />
      </div>
    </StepPage>
  )
}

const isWell = ({ parts }: BoxHealth) => parts.every(({ state }) => state !== 'failed')

/** Nobody needs Redis or a replica to begin: without them, only the Health page names them. */
const isUsed = ({ name, state }: BoxHealth['parts'][number]) =>
  state !== 'off' || (name !== 'redis' && name !== 'replica')

function Found({ health }: { health: BoxHealth }) {
  const isHere = new URL(health.publicUrl).origin === location.origin
  return (
    <div className="stack">
      <Panel flush>
        <Table label={texts.title}>
          <tbody>
            {health.parts.filter(isUsed).map(({ name, state, ms, detail }) => (
              <tr key={name}>
                <td>{texts.parts[name]}</td>
                <td>
                  <Badge tone={TONES[state]}>{texts.states[state]}</Badge>
                </td>
                <td className="dim wide-only">{detail && serverText(detail)}</td>
                <td className="num dim">{ms === null ? '' : texts.ms(formatNumber(ms))}</td>
              </tr>
            ))}
            <tr>
              <td>{texts.address}</td>
              <td>
                <Badge tone={isHere ? 'ok' : 'warn'}>{new URL(health.publicUrl).host}</Badge>
              </td>
              <td className="dim wide-only">{isHere ? texts.addressRight : texts.addressWrong(location.origin)}</td>
              <td />
            </tr>
            {health.disk && (
              <tr>
                <td>{texts.disk}</td>
                <td colSpan={3}>{texts.diskFree(formatBytes(health.disk.freeBytes))}</td>
              </tr>
            )}
          </tbody>
        </Table>
      </Panel>
      {!isWell(health) && <Notice tone="warn">{texts.goesOn}</Notice>}
    </div>
  )
}
