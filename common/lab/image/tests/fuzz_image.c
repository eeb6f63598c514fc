/* Any bytes as a picture. */
#include "lab/image/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct image image, gray;
    char error[256];
    if (!image_decode(data, size, "fuzz", &image, error, sizeof error))
        return 0;
    if (image_to_gray(&image, &gray, error, sizeof error))
        image_free(&gray);
    image_free(&image);
    return 0;
}
