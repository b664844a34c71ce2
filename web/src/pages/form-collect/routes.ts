import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)/collect',
    component: () => import('./form-collect.vue'),
    props: ({ params }) => ({ formId: Number(params.formId) }),
    // Whoever may see a public form may fill it in.
    meta: { access: 'anyone' },
  },
]
