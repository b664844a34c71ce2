import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)/records/:recordId',
    component: () => import('./record.vue'),
    props: ({ params }) => ({ formId: Number(params.formId), recordId: String(params.recordId) }),
    meta: { access: 'anyone' },
  },
]
