import { translation } from '../catalogue'
import type en from '../en/parts'

export default translation<typeof en>({
  close: 'إغلاق',
  cancel: 'إلغاء',
  copy: 'نسخ',
  copied: 'تم النسخ',
  optional: 'اختياري',
  loading: 'جارٍ التحميل',
  tryAgain: 'حاول مرة أخرى',
  toStart: 'العودة إلى البداية',
  nothingFound: 'لم يُعثر على شيء',
  showPassword: 'إظهار كلمة المرور',
  hidePassword: 'إخفاء كلمة المرور',
  typeToConfirm: 'اكتب «{word}» للتأكيد',
  fileOfSize: '{name}، {size}',
  missingTitle: 'لا شيء هنا',
  forbiddenTitle: 'هذا غير متاح لك',
  offlineTitle: 'لا يوجد اتصال',
  brokenTitle: 'لم ينجح ذلك',
  partsTitle: 'تعذّر تحميل جزء من هذه الصفحة',
  seenByAll: 'يمكن للجميع رؤية هذا',
  seenByShared: 'فقط من تمت المشاركة معهم',
  seenByYou: 'أنت فقط',
  seenByPeople: {
    zero: 'أنت فقط',
    one: 'أنت وشخص آخر',
    two: 'أنت وشخصان آخران',
    few: 'أنت و{n} آخرون',
    many: 'أنت و{n} آخرين',
    other: 'أنت و{n} آخر',
  },
})
