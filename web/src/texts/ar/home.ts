import { translation } from '../catalogue'
import type en from '../en/home'

export default translation<typeof en>({
  projects: 'المشاريع',
  find: 'ابحث عن مشروع',
  found: {
    zero: 'لا مشاريع',
    one: 'مشروع واحد',
    two: 'مشروعان',
    few: '{n} مشاريع',
    many: '{n} مشروعًا',
    other: '{n} مشروع',
  },
  forms: {
    zero: 'لا نماذج',
    one: 'نموذج واحد',
    two: 'نموذجان',
    few: '{n} نماذج',
    many: '{n} نموذجًا',
    other: '{n} نموذج',
  },
  star: 'ميّز {name} بنجمة',
  emptyTitle: 'لا مشاريع بعد',
  emptyAbout: 'يجمع المشروع النماذج وإجاباتها والأشخاص الذين يعملون بها.',
})
