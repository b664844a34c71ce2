import { translation } from '../catalogue'
import type en from '../en/editor-start'

export default translation<typeof en>({
  untitled: 'نموذج بلا عنوان',
  goOnTitle: '«{title}» لم يُحفظ بعد',
  goOnAbout: 'احتفظ هذا المتصفح بما كتبته. آخر ما كتبت:',
  goOn: 'متابعة',
  dropWork: 'التخلص منه',
  blank: 'البدء من الصفر',
  blankAbout: 'نموذج فارغ. أضف سؤالًا بعد آخر وشاهد النموذج إلى جانبه.',
  upload: 'فتح جدول بيانات',
  uploadHint: 'ملف XLSForm: ‎.xlsx أو ‎.csv. تظهر الأخطاء في مواضعها لتُصحَّح هنا.',
  templates: 'البدء من قالب',
  take: 'استعماله',
  look: 'نظرة إلى الداخل',
  questions: {
    zero: 'لا أسئلة',
    one: 'سؤال واحد',
    two: 'سؤالان',
    few: '{n} أسئلة',
    many: '{n} سؤالًا',
    other: '{n} سؤال',
  },
  fromForm: 'البدء من نموذج آخر',
  fromFormAbout: 'نسخة من أسئلته. ويبقى النموذج الآخر كما هو.',
  form: 'النموذج',
  chooseForm: 'اختر نموذجًا',
  copyOf: '{title} (نسخة)',
  noWorkbook: 'ليس لهذا النموذج جدول بيانات يُبدأ منه.',
  fromLibrary: 'البدء من مكتبة الأسئلة',
  fromLibraryAbout: 'أسئلة حفظها أحد أعضاء هذا المشروع.',
  finished: 'نشر ملف جاهز',
  finishedAbout: 'ملف XLSForm أو XForm لا يحتاج إلى تغيير يُنشر فورًا.',
  oldExcel:
    'هذا ملف من إصدار Excel القديم (‎.xls) لا تقرؤه المتصفحات. افتحه في Excel أو LibreOffice واختر «حفظ باسم» بصيغة ‎.xlsx ثم ضع ذلك الملف هنا. أو انشر الملف كما هو: فالخادم يقرؤه.',
  publishFile: 'نشر ملف',
  close: 'إغلاق',
})
