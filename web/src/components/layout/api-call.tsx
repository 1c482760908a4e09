import { Button, Modal } from '@mantine/core'
import { IconTerminal2 } from '@tabler/icons-react'
import { useState } from 'react'
import { messages } from '../../messages/index.ts'
import { CodeBlock } from '../copy/code-block.tsx'

/** A button that shows the API call behind the current view. @param path includes the query @param auth the credential the call needs */
export function ApiCallButton({ path, auth = 'none' }: { path: string; auth?: 'none' | 'session' | 'appKey' }) {
  const [isOpen, setIsOpen] = useState(false)
  const headers = {
    none: '',
    session: ' \\\n  -H "authorization: Bearer $CAIRN_SESSION"',
    appKey: ' \\\n  -H "x-app-api-key: $CAIRN_APP_KEY"',
  }
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconTerminal2 size={14} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {messages.common.asApiCall}
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={messages.common.asApiCall} size="lg">
        <CodeBlock text={`curl "${location.origin}${path}"${headers[auth]}`} what={messages.common.asApiCall} />
      </Modal>
    </>
  )
}
