import type { AccountLink } from '@cairn/sdk'
import { Button, Group } from '@mantine/core'
import { CodeBlock } from '../../components/copy/code-block.tsx'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { messages } from '../../messages/index.ts'

const texts = messages.accounts

/** A link that sets the password of an account, shown this once. */
export function MadeLink({ login, link, onClose }: { login: string; link: AccountLink; onClose: () => void }) {
  return (
    <div className="stack">
      <p>{texts.linkText(login)}</p>
      <CodeBlock what={texts.link} text={link.url} />
      <p className="small dim">
        {texts.linkEnds} <RelativeTime at={link.expiresAt} />
      </p>
      <Group justify="flex-end">
        <Button variant="filled" onClick={onClose}>
          {texts.done}
        </Button>
      </Group>
    </div>
  )
}
