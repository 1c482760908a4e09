import { Link } from '@tanstack/react-router'
import { PageBody, PageHeader } from '../components/layout/page-header.tsx'
import { messages } from '../messages/index.ts'

const texts = messages.common

/** Shown for an address that has no page. The navigation stays. */
export const UnknownPage = () => (
  <PageBody>
    <PageHeader title={texts.notFound} sub={texts.notFoundText} />
    <Link to="/">{texts.home}</Link>
  </PageBody>
)
