import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)/media',
    component: () => import('./media.vue'),
    props: ({ params }) => ({ formId: Number(params.formId) }),
    meta: { access: 'anyone' },
  },
]
