import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Webhooks = () => (
  <PageBody>
    <PageHead title="Webhooks" />
  </PageBody>
)
