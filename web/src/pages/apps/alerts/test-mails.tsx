import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { serverText } from '../../../components/feedback/server-text.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.app.alerts

/** Sends a test mail to each saved address, and shows which ones the mail server accepted. */
export function TestMails({ appId, isDisabled }: { appId: string; isDisabled: boolean }) {
  const cairn = useCairn()
  const test = useMutation({ mutationFn: () => cairn.alerts.test(appId) })
  const mails = test.data?.mails ?? []
  return (
    <>
      <Button
        leftSection={<IconMail size={16} aria-hidden />}
        disabled={isDisabled}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        {texts.test}
      </Button>
      {isDisabled && <span className="dim small">{texts.testUnsaved}</span>}
      {test.error && <Notice tone="err">{errorMessage(test.error)}</Notice>}
      {mails.length > 0 && (
        <Notice tone={mails.every(({ error }) => error === null) ? 'ok' : 'err'} title={texts.tested}>
          <div role="status">
            <ul>
              {mails.map(({ address, error }) => (
                <li key={address}>
                  {error === null ? texts.testSent(address) : texts.testFailed(address, serverText(error))}
                </li>
              ))}
            </ul>
          </div>
        </Notice>
      )}
    </>
  )
}
