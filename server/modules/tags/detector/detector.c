// What the service calls of AprilTag 3: a grayscale image in, tags of the family tag36h11 out.
#include <stdlib.h>
#include <string.h>
#include "apriltag.h"
#include "tag36h11.h"

// The most tags of an image, and the numbers of each: id, hamming, margin, center x y, and x y of four corners.
#define MAX_TAGS 256
#define NUMBERS 13

static apriltag_family_t *family;
static double found[MAX_TAGS * NUMBERS];

// A buffer for the pixels, row by row without padding; 0 if there is no memory. The caller frees it with `released`.
__attribute__((export_name("pixels_of"))) uint8_t *pixels_of(int width, int height) {
  return malloc((size_t)width * height);
}

__attribute__((export_name("released"))) void released(void *pointer) { free(pointer); }

// Finds tags. Quads are sought in an image reduced by `decimate`; edges and bits are read at full size. Tags with up to
// `corrected` wrong bits count. Returns their number; `results` has the numbers of each, in pixels of the library,
// whose center of the top left pixel is (0.5, 0.5).
__attribute__((export_name("detect"))) int detect(uint8_t *pixels, int width, int height, float decimate, int corrected) {
  if (!family) family = tag36h11_create();
  apriltag_detector_t *detector = apriltag_detector_create();
  apriltag_detector_add_family_bits(detector, family, corrected);
  detector->nthreads = 1;
  detector->quad_decimate = decimate;
  image_u8_t image = {.width = width, .height = height, .stride = width, .buf = pixels};
  zarray_t *detections = apriltag_detector_detect(detector, &image);
  int count = 0;
  for (int i = 0; i < zarray_size(detections) && count < MAX_TAGS; i++) {
    apriltag_detection_t *tag;
    zarray_get(detections, i, &tag);
    double *numbers = found + NUMBERS * count++;
    numbers[0] = tag->id;
    numbers[1] = tag->hamming;
    numbers[2] = tag->decision_margin;
    memcpy(numbers + 3, tag->c, sizeof tag->c);
    memcpy(numbers + 5, tag->p, sizeof tag->p);
  }
  apriltag_detections_destroy(detections);
  apriltag_detector_destroy(detector);
  return count;
}

__attribute__((export_name("results"))) double *results(void) { return found; }

// The 10 by 10 cells of a tag with its white edge, 0 or 255, from the top left, row by row; 0 if there is no such tag.
__attribute__((export_name("cells_of"))) uint8_t *cells_of(int id) {
  static uint8_t cells[100];
  if (!family) family = tag36h11_create();
  if (id < 0 || id >= (int)family->ncodes) return 0;
  image_u8_t *image = apriltag_to_image(family, id);
  for (int y = 0; y < 10; y++) memcpy(cells + 10 * y, image->buf + y * image->stride, 10);
  image_u8_destroy(image);
  return cells;
}
