import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Usage = () => (
  <PageBody>
    <PageHead title="Usage" />
  </PageBody>
)
