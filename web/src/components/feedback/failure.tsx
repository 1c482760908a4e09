import { CairnError } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconLock, IconMapPinQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { messages } from '../../messages/index.ts'
import { EmptyState } from './empty-state.tsx'
import { Notice } from './notice.tsx'
import { RetryCountdown } from './retry-countdown.tsx'
import { issueText, serverText } from './server-text.ts'

const texts = messages.common

/** The error message of the service where possible. */
export const errorMessage = (error: unknown): string => {
  if (!(error instanceof CairnError)) return error instanceof Error ? error.message : String(error)
  if (error.status === 0) return texts.noAnswer
  const issues = error.issues.map((issue) => {
    const text = issueText(issue)
    if (issue.path.length === 0) return text ?? issue.message
    return issue.path.join('.') + (text === undefined ? ` ${issue.message}` : `: ${text}`)
  })
  return issues.length > 0 ? issues.join('; ') : serverText(error.message)
}

/** A failed load or action, with the request ID and a retry button. */
export function Failure({
  error,
  title = texts.failed,
  onRetry,
}: {
  error: unknown
  title?: string
  onRetry?: () => void
}) {
  if (error instanceof CairnError && error.status === 404) return <NotFound />
  if (error instanceof CairnError && error.status === 403) return <NotAllowed>{serverText(error.message)}</NotAllowed>
  const id = error instanceof CairnError ? error.requestId : undefined
  return (
    <Notice
      tone="err"
      title={title}
      actions={
        onRetry && (
          <Button size="xs" onClick={onRetry}>
            {texts.tryAgain}
          </Button>
        )
      }
    >
      <div>{errorMessage(error)}</div>
      {error instanceof CairnError && error.status === 429 && error.retryAfter !== null && (
        <RetryCountdown key={id} seconds={error.retryAfter} onOver={onRetry} />
      )}
      {id && <code className="faint">{texts.requestId(id)}</code>}
    </Notice>
  )
}

/** The user may not see this page. */
export const NotAllowed = ({ children }: { children: ReactNode }) => (
  <EmptyState icon={IconLock} title={texts.notAllowed}>
    {children}
  </EmptyState>
)

export const NotFound = () => (
  <EmptyState icon={IconMapPinQuestion} title={texts.notFound} action={<Link to="/">{texts.home}</Link>}>
    {texts.notFoundText}
  </EmptyState>
)

/** Shown when a page fails to render or its code fails to load. */
export const PageError = ({ error }: { error: unknown }) => (
  <div className="pad">
    <Failure error={error} onRetry={() => location.reload()} />
  </div>
)
