// Written by Scripts/bundle; a test compares it with the folder.

#include "CMigrations.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "checksums"
};

static const unsigned char file_1[] = {
#embed "fitiq/V1-V2.json"
};

static const unsigned char file_2[] = {
#embed "fitiq/V1.schema.json"
};

static const unsigned char file_3[] = {
#embed "fitiq/V10-V11.json"
};

static const unsigned char file_4[] = {
#embed "fitiq/V10.schema.json"
};

static const unsigned char file_5[] = {
#embed "fitiq/V10@first.edition.json"
};

static const unsigned char file_6[] = {
#embed "fitiq/V11.schema.json"
};

static const unsigned char file_7[] = {
#embed "fitiq/V1@early-V1.json"
};

static const unsigned char file_8[] = {
#embed "fitiq/V1@early.schema.json"
};

static const unsigned char file_9[] = {
#embed "fitiq/V2-V3.json"
};

static const unsigned char file_10[] = {
#embed "fitiq/V2-V3@guide.json"
};

static const unsigned char file_11[] = {
#embed "fitiq/V2.schema.json"
};

static const unsigned char file_12[] = {
#embed "fitiq/V3-V4.json"
};

static const unsigned char file_13[] = {
#embed "fitiq/V3.schema.json"
};

static const unsigned char file_14[] = {
#embed "fitiq/V3@guide-V3.json"
};

static const unsigned char file_15[] = {
#embed "fitiq/V3@guide.schema.json"
};

static const unsigned char file_16[] = {
#embed "fitiq/V4-V5.json"
};

static const unsigned char file_17[] = {
#embed "fitiq/V4.schema.json"
};

static const unsigned char file_18[] = {
#embed "fitiq/V5-V6.json"
};

static const unsigned char file_19[] = {
#embed "fitiq/V5.schema.json"
};

static const unsigned char file_20[] = {
#embed "fitiq/V6-V7.json"
};

static const unsigned char file_21[] = {
#embed "fitiq/V6.schema.json"
};

static const unsigned char file_22[] = {
#embed "fitiq/V7-V8.json"
};

static const unsigned char file_23[] = {
#embed "fitiq/V7.schema.json"
};

static const unsigned char file_24[] = {
#embed "fitiq/V8-V9.json"
};

static const unsigned char file_25[] = {
#embed "fitiq/V8.schema.json"
};

static const unsigned char file_26[] = {
#embed "fitiq/V9-V10.json"
};

static const unsigned char file_27[] = {
#embed "fitiq/V9.schema.json"
};

static const unsigned char file_28[] = {
#embed "fitiq/V9@first.edition.json"
};

static const unsigned char file_29[] = {
#embed "fitiq/mood.converters.json"
};

static const unsigned char file_30[] = {
#embed "lume/V1-V2.json"
};

static const unsigned char file_31[] = {
#embed "lume/V1.schema.json"
};

static const unsigned char file_32[] = {
#embed "lume/V2-V3.json"
};

static const unsigned char file_33[] = {
#embed "lume/V2.schema.json"
};

static const unsigned char file_34[] = {
#embed "lume/V3-V4.json"
};

static const unsigned char file_35[] = {
#embed "lume/V3.schema.json"
};

static const unsigned char file_36[] = {
#embed "lume/V3@early-V3.json"
};

static const unsigned char file_37[] = {
#embed "lume/V3@early.schema.json"
};

static const unsigned char file_38[] = {
#embed "lume/V4-V5.json"
};

static const unsigned char file_39[] = {
#embed "lume/V4.schema.json"
};

static const unsigned char file_40[] = {
#embed "lume/V4@early-V4.json"
};

static const unsigned char file_41[] = {
#embed "lume/V4@early.schema.json"
};

static const unsigned char file_42[] = {
#embed "lume/V5-V6.json"
};

static const unsigned char file_43[] = {
#embed "lume/V5.schema.json"
};

static const unsigned char file_44[] = {
#embed "lume/V6-V7.json"
};

static const unsigned char file_45[] = {
#embed "lume/V6-V7@additive.json"
};

static const unsigned char file_46[] = {
#embed "lume/V6.schema.json"
};

static const unsigned char file_47[] = {
#embed "lume/V6@old.edition.json"
};

static const unsigned char file_48[] = {
#embed "lume/V6@plan-V7@plan.json"
};

static const unsigned char file_49[] = {
#embed "lume/V6@plan.schema.json"
};

static const unsigned char file_50[] = {
#embed "lume/V7.schema.json"
};

static const unsigned char file_51[] = {
#embed "lume/V7@additive-V7.json"
};

static const unsigned char file_52[] = {
#embed "lume/V7@additive.schema.json"
};

static const unsigned char file_53[] = {
#embed "lume/V7@plan.schema.json"
};

const CMigrationsFile cmigrations_files[] = {
    {"checksums", file_0, sizeof file_0},
    {"fitiq/V1-V2.json", file_1, sizeof file_1},
    {"fitiq/V1.schema.json", file_2, sizeof file_2},
    {"fitiq/V10-V11.json", file_3, sizeof file_3},
    {"fitiq/V10.schema.json", file_4, sizeof file_4},
    {"fitiq/V10@first.edition.json", file_5, sizeof file_5},
    {"fitiq/V11.schema.json", file_6, sizeof file_6},
    {"fitiq/V1@early-V1.json", file_7, sizeof file_7},
    {"fitiq/V1@early.schema.json", file_8, sizeof file_8},
    {"fitiq/V2-V3.json", file_9, sizeof file_9},
    {"fitiq/V2-V3@guide.json", file_10, sizeof file_10},
    {"fitiq/V2.schema.json", file_11, sizeof file_11},
    {"fitiq/V3-V4.json", file_12, sizeof file_12},
    {"fitiq/V3.schema.json", file_13, sizeof file_13},
    {"fitiq/V3@guide-V3.json", file_14, sizeof file_14},
    {"fitiq/V3@guide.schema.json", file_15, sizeof file_15},
    {"fitiq/V4-V5.json", file_16, sizeof file_16},
    {"fitiq/V4.schema.json", file_17, sizeof file_17},
    {"fitiq/V5-V6.json", file_18, sizeof file_18},
    {"fitiq/V5.schema.json", file_19, sizeof file_19},
    {"fitiq/V6-V7.json", file_20, sizeof file_20},
    {"fitiq/V6.schema.json", file_21, sizeof file_21},
    {"fitiq/V7-V8.json", file_22, sizeof file_22},
    {"fitiq/V7.schema.json", file_23, sizeof file_23},
    {"fitiq/V8-V9.json", file_24, sizeof file_24},
    {"fitiq/V8.schema.json", file_25, sizeof file_25},
    {"fitiq/V9-V10.json", file_26, sizeof file_26},
    {"fitiq/V9.schema.json", file_27, sizeof file_27},
    {"fitiq/V9@first.edition.json", file_28, sizeof file_28},
    {"fitiq/mood.converters.json", file_29, sizeof file_29},
    {"lume/V1-V2.json", file_30, sizeof file_30},
    {"lume/V1.schema.json", file_31, sizeof file_31},
    {"lume/V2-V3.json", file_32, sizeof file_32},
    {"lume/V2.schema.json", file_33, sizeof file_33},
    {"lume/V3-V4.json", file_34, sizeof file_34},
    {"lume/V3.schema.json", file_35, sizeof file_35},
    {"lume/V3@early-V3.json", file_36, sizeof file_36},
    {"lume/V3@early.schema.json", file_37, sizeof file_37},
    {"lume/V4-V5.json", file_38, sizeof file_38},
    {"lume/V4.schema.json", file_39, sizeof file_39},
    {"lume/V4@early-V4.json", file_40, sizeof file_40},
    {"lume/V4@early.schema.json", file_41, sizeof file_41},
    {"lume/V5-V6.json", file_42, sizeof file_42},
    {"lume/V5.schema.json", file_43, sizeof file_43},
    {"lume/V6-V7.json", file_44, sizeof file_44},
    {"lume/V6-V7@additive.json", file_45, sizeof file_45},
    {"lume/V6.schema.json", file_46, sizeof file_46},
    {"lume/V6@old.edition.json", file_47, sizeof file_47},
    {"lume/V6@plan-V7@plan.json", file_48, sizeof file_48},
    {"lume/V6@plan.schema.json", file_49, sizeof file_49},
    {"lume/V7.schema.json", file_50, sizeof file_50},
    {"lume/V7@additive-V7.json", file_51, sizeof file_51},
    {"lume/V7@additive.schema.json", file_52, sizeof file_52},
    {"lume/V7@plan.schema.json", file_53, sizeof file_53},
};

const size_t cmigrations_file_count = 54;
