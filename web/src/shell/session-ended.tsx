import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messages } from '../messages/index.ts'
import { loadSettings } from '../session/console-settings.ts'
import { useSession } from '../session/session.tsx'

const texts = messages.shell.ended

/** A dialog over the page when the session has ended. Signing in opens in a new tab, and this tab continues with the new session. */
export function SessionEnded() {
  const { isExpired } = useSession()
  const { data: settings } = useQuery({ queryKey: ['settings'], queryFn: loadSettings, enabled: isExpired })
  return (
    <Modal opened={isExpired} onClose={() => {}} withCloseButton={false} title={texts.title}>
      <p className="dim">{texts.text}</p>
      <Button
        component="a"
        mt={16}
        variant="filled"
        disabled={!settings}
        href="/console/"
        target="_blank"
        rel="noreferrer"
      >
        {texts.button}
      </Button>
    </Modal>
  )
}
